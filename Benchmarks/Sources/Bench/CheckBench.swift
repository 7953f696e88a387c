// SPDX-License-Identifier: Apache-2.0

/// A check of the Internet against a server on this machine, compared with the least that a client must do.
struct CheckBench: Bench {
    static let name = "check"
    private static let port = "18204"

    func run(_ context: Context, _ targets: inout Targets) throws {
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
}
