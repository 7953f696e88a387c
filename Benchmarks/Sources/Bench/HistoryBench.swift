// SPDX-License-Identifier: Apache-2.0

/// How long a visitor waits for the page with 90 days, when the history has 100,000 transitions in them.
struct HistoryBench: Bench {
    static let name = "history"
    private static let port = 18_206

    func run(_ context: Context, _ targets: inout Targets) throws {
        let lab = try Lab()
        defer { withExtendedLifetime(lab) {} }
        let folder = "\(context.programs.swift)/history-of-90-days"
        let contender = context.programs.serve(port: Self.port, folder: folder)
        // The server makes the tables.
        _ = try Self.times(contender, requests: 0)
        try Self.fill("\(folder)/history.sqlite")
        print(
            "Seconds for `/?window=quarter` with 100,000 transitions: the first request after a start, and the next one\n"
        )
        var table = Table("start", "first", "next")
        for start in 1...(context.isQuick ? 1 : 5) {
            let times = try Self.times(contender, requests: 2)
            table.add("\(start)", Figure.text(times[0]), Figure.text(times[1]))
        }
        table.show()
        let counts = try (0...1).compactMap { requests in
            try Callgrind.count(contender) { _ = try Self.times($0, requests: requests) }
        }
        targets.check(
            "history: 90 days with 100,000 transitions, million instructions ≤ 1,470",
            counts.count == 2 ? (counts[1] - counts[0]) / 1e6 : nil, atMost: 1470, unit: "")
    }

    private static func times(_ contender: Contender, requests: Int) throws -> [Double] {
        let running = try RunningContender(contender)
        defer { running.end() }
        return try times(running, requests: requests)
    }

    /// The seconds of each request to a server that has just started.
    private static func times(_ running: RunningContender, requests: Int) throws -> [Double] {
        guard running.line(within: 60_000) != nil else { throw BenchError("\(running.contender.name) does not start") }
        return try (0..<requests).map { _ in
            let url = "http://127.0.0.1:\(port)/?window=quarter"
            let text = try Shell.output(of: "curl -fs -o /dev/null -w '%{time_total}' '\(url)'")
            guard let time = Double(text) else { throw BenchError("no answer from \(url): \(text)") }
            return time
        }
    }

    /// Replaces the transitions by 50,000 outages of a minute each, evenly over the last 90 days.
    private static func fill(_ database: String) throws {
        let script = """
            import sqlite3, sys, time
            database, now = sqlite3.connect(sys.argv[1]), time.time()
            database.execute('DELETE FROM transition')
            step = 90 * 86400 / 50000
            rows = [(int(1000 * (now - 90 * 86400 + step * (i // 2) + 60 * (i % 2))), 'online' if i % 2 else 'offline',
                None if i % 2 else 'noCarrier') for i in range(100000)]
            database.executemany("INSERT INTO transition (time, state, cause, interfaceName, interfaceType) "
                "VALUES (?, ?, ?, 'eth0', 'wiredEthernet')", rows)
            database.commit()
            print(database.execute('SELECT count(*) FROM transition').fetchone()[0], end='')
            """
        let count = try Shell.output(of: "python3 -c \"\(script.replacing("\"", with: "\\\""))\" '\(database)'")
        guard count == "100000" else { throw BenchError("the history has '\(count)' transitions") }
    }
}
