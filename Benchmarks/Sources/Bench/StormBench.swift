// SPDX-License-Identifier: Apache-2.0

/// A hundred thousand routes added and deleted as fast as the kernel can, with the default route deleted in between.
struct StormBench: Bench {
    static let name = "storm"

    private struct Result {
        var sender = Samples()
        var processor = Samples()
        var sleeps = Samples()
        var memory = Samples()
        var wrong = 0
        var runs = 0
    }

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        let contenders = programs.present([
            programs.raw(), programs.raw("filtered"), programs.raw("careful"), programs.closure, programs.watch,
            programs.hosts(1), programs.glib, programs.libnl, programs.ip, programs.go, programs.python,
        ])
        let count = context.isQuick ? 2000 : 100_000
        var results = [Contender: Result]()
        let lab = try Lab()
        for _ in 0..<(context.isQuick ? 1 : 5) {
            for contender in contenders {
                try measure(contender, lab, count, &results[contender, default: Result()])
            }
        }
        print("\(count) routes added and deleted, the default route deleted in between\n")
        var table = Table("", "CPU, ms", "wake-ups", "peak MB", "sender, ms", "right at the end")
        for contender in contenders {
            guard let result = results[contender] else { continue }
            // The output of `ip monitor` is not read here.
            let right = contender.style == .text ? "–" : "\(result.runs - result.wrong) of \(result.runs)"
            table.add(
                contender.name, Figure.text(result.processor.median), Figure.text(result.sleeps.median, digits: 0),
                Figure.megabytes(result.memory.median), Figure.text(result.sender.median, digits: 0), right)
        }
        table.show()
        let raw = results[programs.raw()]?.processor.median
        targets.check(
            "storm: CPU of the closure ÷ raw ≤ 0.1", ratio(results[programs.closure]?.processor.median, raw),
            atMost: 0.1, unit: "×")
        targets.check(
            "storm: CPU with a host watched ÷ raw ≤ 1.5", ratio(results[programs.hosts(1)]?.processor.median, raw),
            atMost: 1.5, unit: "×")
        let wrong = [programs.closure, programs.watch, programs.hosts(1)].compactMap { results[$0]?.wrong }
        targets.check("storm: Dialtone right at the end, every time", wrong.allSatisfy { $0 == 0 })
    }

    private func measure(_ contender: Contender, _ lab: Lab, _ count: Int, _ result: inout Result) throws {
        // Reading its output would cost the driver more than it costs the program.
        let isHeard = contender.style != .text
        let running = try RunningContender(contender, isHeard: isHeard)
        defer { running.end() }
        if isHeard { try running.first() }
        Clock.sleep(milliseconds: 100)
        let before = Usage(of: running.process)
        let start = Clock.now
        try lab.flood(add: true, count)
        try lab.deleteDefault()
        try lab.flood(add: false, count)
        result.sender.add(Double(Clock.now - start) / 1e6)
        // Until it has handled everything that was still queued.
        var after = Usage(of: running.process)
        for _ in 0..<100 {
            running.settle(milliseconds: 100)
            if !isHeard { Clock.sleep(milliseconds: 100) }
            let now = Usage(of: running.process)
            let isQuiet = now.processor - after.processor < 1_000_000
            after = now
            if isQuiet { break }
        }
        result.processor.add(Double(after.processor - before.processor) / 1e6)
        result.sleeps.add(Double(after.sleeps - before.sleeps))
        result.memory.add(Double(after.peak))
        result.runs += 1
        if running.state != "down" { result.wrong += 1 }
        running.end()
        try lab.addDefault()
    }
}
