// SPDX-License-Identifier: Apache-2.0

/// The latency from the kernel's change to the handler.
///
/// One contender runs at a time; they take turns, round after round.
struct LatencyBench: Bench {
    static let name = "latency"

    private enum Change: String, CaseIterable {
        case routeDeleted = "default route deleted"
        case routeAdded = "default route added"
        case linkDown = "link switched off"
        case addressDeleted = "last address deleted"
    }

    private struct Result {
        var handler: [Change: Samples] = [:]
        var line: [Change: Samples] = [:]
        var misses: [Change: Int] = [:]
    }

    /// The time limit for a handler; after it, the change counts as missed.
    private static let patience = 250
    /// After that many misses in a row, the contender is not measured any more.
    private static let mostMisses = 3

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        let contenders = programs.present([
            programs.raw(), programs.raw("hop"), programs.raw("careful"), programs.raw("same-calls-hop"),
            programs.calls,
            programs.closure, programs.sequence, programs.watch, programs.glib, programs.libnl, programs.ip,
            programs.go,
            programs.python,
        ])
        let (rounds, each) = context.isQuick ? (1, 3) : (20, 10)
        var results = [Contender: Result]()
        let lab = try Lab()
        for round in 0..<rounds {
            // The first contender differs in each round.
            for place in contenders.indices {
                let contender = contenders[(place + round) % contenders.count]
                try measure(contender, lab, each, &results[contender, default: Result()])
            }
        }
        report(contenders, results, context, &targets)
    }

    private func measure(_ contender: Contender, _ lab: Lab, _ each: Int, _ result: inout Result) throws {
        let running = try RunningContender(contender)
        defer { running.end() }
        if contender.style == .text { Clock.sleep(milliseconds: 50) } else { try running.first() }
        running.settle(milliseconds: 10)
        for _ in 0..<each {
            try note(.routeDeleted, running, &result) { try lab.deleteDefault() }
            try note(.routeAdded, running, &result) { try lab.addDefault() }
        }
        for _ in 0..<each where !isDeaf(.linkDown, result) {
            try note(.linkDown, running, &result) { try lab.setLink(up: false) }
            try lab.setLink(up: true)
            try lab.addDefault()
            running.settle(milliseconds: 4)
        }
        for _ in 0..<each where !isDeaf(.addressDeleted, result) {
            try note(.addressDeleted, running, &result) { try lab.deleteAddress() }
            try lab.addAddress()
            try lab.addDefault()
            running.settle(milliseconds: 4)
        }
    }

    private func isDeaf(_ change: Change, _ result: Result) -> Bool {
        result.misses[change, default: 0] >= Self.mostMisses
    }

    private func note(
        _ change: Change, _ running: RunningContender, _ result: inout Result, make: () throws -> Void
    ) throws {
        let expected = change == .routeAdded ? "up" : "down"
        let start = Clock.now
        try make()
        let line = running.line(within: Self.patience) {
            $0.stamp >= start && (!running.contender.answers || $0.state == expected)
        }
        if let line {
            if running.contender.style == .stamped {
                result.handler[change, default: Samples()].add(Double(line.stamp - start) / 1000)
            }
            result.line[change, default: Samples()].add(Double(line.arrival - start) / 1000)
        } else {
            result.misses[change, default: 0] += 1
        }
        running.settle(milliseconds: 2)
    }

    private func report(
        _ contenders: [Contender], _ results: [Contender: Result], _ context: Context, _ targets: inout Targets
    ) {
        let (hop, programs) = (context.programs.raw("hop"), context.programs)
        func median(_ contender: Contender, _ change: Change) -> Double? { results[contender]?.handler[change]?.median }
        for change in Change.allCases {
            print("Kernel's change to handler, µs: \(change.rawValue)\n")
            var table = Table("", "median", "p95", "× raw, hop", "line read, median", "n", "missed")
            for contender in contenders {
                let handler = results[contender]?.handler[change]
                let line = results[contender]?.line[change]
                table.add(
                    contender.name, Figure.text(handler?.median), Figure.text(handler?.quantile(0.95)),
                    Figure.text(ratio(handler?.median, median(hop, change))), Figure.text(line?.median),
                    "\(line?.count ?? 0)", "\(results[contender]?.misses[change] ?? 0)")
            }
            table.show()
        }
        for change in [Change.routeDeleted, .routeAdded] {
            targets.check(
                "latency, \(change.rawValue): closure ÷ raw, hop ≤ 2.5",
                ratio(median(programs.closure, change), median(hop, change)), atMost: 2.5, unit: "×")
        }
    }
}
