// SPDX-License-Identifier: Apache-2.0

/// Many addresses on one link, and many links, of which one is replaced as by a container that restarts.
struct LinksBench: Bench {
    static let name = "links"

    func run(_ context: Context, _ targets: inout Targets) throws {
        try measureAddresses(context, &targets)
        try measureContainers(context, &targets)
    }

    private func measureAddresses(_ context: Context, _ targets: inout Targets) throws {
        let status = context.programs.status
        let sizes = context.isQuick ? [100, 200] : [6_500, 26_000]
        var table = Table("\(status.name), ms until its end", "median", "n")
        var medians: [Double] = []
        for size in sizes {
            let lab = try Lab()
            try lab.addAddresses(size)
            lab.enter()
            var times = Samples()
            for _ in 0..<(context.isQuick ? 1 : 5) {
                let running = try RunningContender(status)
                running.waitForExit()
                times.add(Double(Clock.now - running.started) / 1e6)
            }
            table.add("\(size) addresses on one link", Figure.text(times.median), "\(times.count)")
            medians += [times.median].compactMap(\.self)
        }
        table.show()
        targets.check(
            "links: 26,000 addresses on one link ÷ 6,500 ≤ 5", ratio(medians.last, medians.first), atMost: 5, unit: "×")
    }

    private func measureContainers(_ context: Context, _ targets: inout Targets) throws {
        let closure = context.programs.closure
        let (count, rounds) = context.isQuick ? (10, 1) : (1_000, 20)
        let lab = try Lab()
        for number in 0..<count { try lab.addContainer(number) }
        lab.enter()
        let running = try RunningContender(closure)
        defer { running.end() }
        try running.first()
        Clock.sleep(milliseconds: 500)
        let before = Usage(of: running.process).processor
        for number in 0..<rounds {
            try lab.deleteContainer(number)
            try lab.addContainer(number)
            // Until it has handled the events.
            Clock.sleep(milliseconds: 100)
        }
        let cost = Double(Usage(of: running.process).processor - before) / 1e6 / Double(rounds)
        print("\(closure.name), of \(count) links one replaced by another: \(Figure.text(cost)) ms of CPU time\n")
        targets.check("links: one of 1,000 links replaced ≤ 10 ms", cost, atMost: 10, unit: "ms")
    }
}
