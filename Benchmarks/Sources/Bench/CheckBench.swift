// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// A check of the Internet against a local server, compared with the least that a client must do, and a monitor's routine check.
struct CheckBench: Bench {
    static let name = "check"
    private static let port = "18204"

    func run(_ context: Context, _ targets: inout Targets) throws {
        try checkOnce(context)
        try checkInTurn(context, &targets)
    }

    private func checkOnce(_ context: Context) throws {
        let programs = context.programs
        guard !programs.absent.contains("http") else {
            print("No server: there is no C compiler.\n")
            return
        }
        let lab = try Lab()
        defer { withExtendedLifetime(lab) {} }
        let count = context.isQuick ? 5 : 300
        let server = try RunningContender(programs.http("serve", Self.port))
        defer { server.end() }
        try server.first()
        print("One check against a local server that answers 204, n = \(count)\n")
        var table = Table("", "median ms", "p95", "CPU each, ms", "peak MB")
        for contender in [
            programs.http("get", Self.port, "\(count)"), programs.work("check", Self.port, "\(count)"),
        ] {
            let running = try RunningContender(contender)
            defer { running.end() }
            try running.first()
            let before = Usage(of: running.process)
            var after = before
            var samples = Samples()
            while samples.count < count, let line = running.line(within: 10_000, where: { $0.event == "took" }) {
                samples.add(Double(line.stamp) / 1e6)
                // Read while the program still runs.
                if samples.count == count - 1 { after = Usage(of: running.process) }
                guard line.state == "up" || !contender.isOurs else { throw BenchError("A check is not verified") }
            }
            guard samples.count == count else { throw BenchError("Not every check of \(contender.name) ends") }
            table.add(
                contender.name, Figure.text(samples.median), Figure.text(samples.quantile(0.95)),
                Figure.text(Double(after.processor - before.processor) / 1e6 / Double(count - 1)),
                Figure.megabytes(after.peak))
        }
        table.show()
    }

    /// Checks as a monitor does while the Internet is verified: one operator in turn, over HTTP and HTTPS.
    private func checkInTurn(_ context: Context, _ targets: inout Targets) throws {
        let lab = try Lab()
        let internet = try Internet(in: lab, folder: "\(context.programs.swift)/check")
        defer { withExtendedLifetime((lab, internet)) {} }
        var (sent, received, instructions) = (Samples(), Samples(), Samples())
        func contender(turns: Int) -> Contender { internet.contender(context.programs.work("turns", "\(turns)")) }
        let operators = Double(Set([InternetCheck.Endpoint].defaults.map(\.operatorName)).count)
        for _ in 0..<(context.isQuick ? 1 : 5) {
            let before = Packets.now
            let running = try RunningContender(contender(turns: 1))
            guard running.waitForExit() == 0 else { throw BenchError("A routine check is not verified") }
            // The last connection is closed after the program has exited.
            Clock.sleep(milliseconds: 200)
            let after = Packets.now
            sent.add(Double(after.sent - before.sent) / operators)
            received.add(Double(after.received - before.received) / operators)
            let counts = try (1...2).compactMap { try Callgrind.count(contender(turns: $0)) }
            if counts.count == 2 { instructions.add((counts[1] - counts[0]) / operators) }
        }
        print("A routine check: one of \(Int(operators)) operators, over HTTP and HTTPS\n")
        var table = Table.ofSamples()
        table.add("packets sent", sent)
        table.add("packets received", received)
        table.add("instructions", instructions)
        table.show()
        targets.check(
            "routine check: packets, both directions ≤ 31", sum(sent.mean, received.mean), atMost: 31, unit: "")
        targets.check("routine check: instructions ≤ 7,850,000", instructions.mean, atMost: 7_850_000, unit: "")
    }
}
