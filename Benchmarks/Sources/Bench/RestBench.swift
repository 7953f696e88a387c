// SPDX-License-Identifier: Apache-2.0

import Glibc

/// `dialtone serve` with its defaults, heartbeat included, while the Internet answers and no client is connected.
struct RestBench: Bench {
    static let name = "rest"

    func run(_ context: Context, _ targets: inout Targets) throws {
        let folder = "\(context.programs.swift)/rest"
        _ = try Shell.output(of: "rm -rf '\(folder)'")
        let lab = try Lab()
        let internet = try Internet(in: lab, folder: folder)
        defer { withExtendedLifetime((lab, internet)) {} }
        let server = Contender(
            name: "`dialtone serve`",
            command: ["\(context.programs.swift)/dialtone-server", "serve", "--data-dir", "\(folder)/history"],
            style: .text, isOurs: true)
        let running = try RunningContender(internet.contender(server))
        defer { running.end() }
        let (minutes, seconds) = context.isQuick ? (1, 12) : (5, 60)
        var (sent, received, processor, sleeps, resident) = (Samples(), Samples(), Samples(), Samples(), Samples())
        // The first minute does not count: a check queries all operators, and the heartbeat learns what is answered.
        for minute in 0...minutes {
            let (packets, before) = (Packets.now, Usage(of: running.process))
            let count = Self.sleeps(of: running.process, seconds: seconds)
            let (packetsAfter, after) = (Packets.now, Usage(of: running.process))
            guard minute > 0 else { continue }
            sent.add(Double(packetsAfter.sent - packets.sent))
            received.add(Double(packetsAfter.received - packets.received))
            processor.add(Double(after.processor - before.processor) / 1e6 / Double(seconds))
            sleeps.add(Double(count) / Double(seconds))
            resident.add(Double(after.resident) / 1024)
        }
        let status = try Shell.output(of: "curl -fs http://127.0.0.1:4780/api/status")
        guard status.contains("\"connectivity\":\"online\"") else { throw BenchError("not online: \(status)") }
        print("`dialtone serve` with its defaults while the Internet answers, by intervals of \(seconds) s\n")
        var table = Table.ofSamples()
        table.add("packets sent", sent)
        table.add("packets received", received)
        table.add("CPU, ms each second", processor)
        table.add("wake-ups each second", sleeps)
        table.add("resident MB", resident)
        table.show()
        targets.check(
            "rest: packets a minute, both directions ≤ 68", sum(sent.mean, received.mean), atMost: 68, unit: "")
        targets.check("rest: wake-ups a second ≤ 3", sleeps.mean, atMost: 3, unit: "")
        targets.check("rest: `dialtone serve`, resident ≤ 40 MB", resident.quantile(1), atMost: 40, unit: "MB")
    }

    /// Counts a process's voluntary context switches.
    ///
    /// The counter of a thread ends with it, so all are read once a second.
    private static func sleeps(of process: pid_t, seconds: Int) -> Int {
        var (last, count) = (Usage.sleeps(of: process), 0)
        let start = Clock.now
        for second in 1...seconds {
            Clock.sleep(milliseconds: max(0, second * 1000 - Int((Clock.now - start) / 1_000_000)))
            let now = Usage.sleeps(of: process)
            for (thread, sleeps) in now { count += sleeps - (last[thread] ?? 0) }
            last = now
        }
        return count
    }
}
