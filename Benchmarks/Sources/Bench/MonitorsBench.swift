// SPDX-License-Identifier: Apache-2.0

/// Many monitors, and many hosts, in one program.
struct MonitorsBench: Bench {
    static let name = "monitors"

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        let counts = context.isQuick ? [1, 100] : [1, 100, 10_000]
        let lab = try Lab()
        print("Many monitors, and many hosts, in one program: cost of each, time until every handler has run\n")
        var table = Table("", "KiB each", "first answers, ms", "fan-out, ms", "p95", "threads", "descriptors")
        var one: [Bool: Usage] = [:]
        var bytes: Double?
        var times: [Int: Double] = [:]
        var descriptors: Set<Int> = []
        let contenders =
            counts.map { (programs.monitors($0), $0, false) }
            + [1, context.isQuick ? 100 : 1000].map { (programs.hosts($0), $0, true) }
        for (contender, count, isHosts) in contenders {
            let running = try RunningContender(contender)
            defer { running.end() }
            let first = try running.first()
            running.settle(milliseconds: 300)
            let usage = Usage(of: running.process)
            var time = Samples()
            for _ in 0..<(context.isQuick ? 2 : 20) {
                time.add(try fanOut(running) { try lab.deleteDefault() })
                time.add(try fanOut(running) { try lab.addDefault() })
            }
            if count == 1 { one[isHosts] = usage }
            let each = one[isHosts].flatMap { one in
                count > 1 ? Double(usage.resident - one.resident) / Double(count - 1) : nil
            }
            table.add(
                count == 1 ? (isHosts ? "1 host" : "1 monitor") : contender.name, Figure.text(each),
                Figure.text(Double(first.stamp - running.started) / 1e6), Figure.text(time.median),
                Figure.text(time.quantile(0.95)), "\(usage.threads)", "\(usage.descriptors)")
            if !isHosts {
                bytes = each
                times[count] = time.median
                descriptors.insert(usage.descriptors)
            }
        }
        table.show()
        let count = counts.last ?? 0
        targets.check("\(count) monitors: each ≤ 1 KiB", bytes, atMost: 1, unit: "KiB")
        targets.check(
            "\(count) monitors: fan-out ÷ that of 100 ≤ \(count / 100)", ratio(times[count], times[100]),
            atMost: Double(count / 100), unit: "×")
        targets.check(
            "\(count) monitors: one set of sockets", descriptors.count == 1, "\(descriptors.max() ?? 0) descriptors")
    }

    private func fanOut(_ running: RunningContender, _ change: () throws -> Void) throws -> Double {
        let start = Clock.now
        try change()
        guard let line = running.line(within: 10_000, where: { $0.stamp >= start }) else {
            throw BenchError("\(running.contender.name): not every handler was called for a change")
        }
        running.settle(milliseconds: 20)
        return Double(line.stamp - start) / 1e6
    }
}
