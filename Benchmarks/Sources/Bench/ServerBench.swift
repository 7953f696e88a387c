// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Requests per second of the server's JSON, beside a bare route of the library that it stands on, as `wrk` measures them.
struct ServerBench: Bench {
    static let name = "server"
    private static let port = 18_205

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        guard !programs.absent.contains("wrk") else {
            print("No client: there is no wrk.\n")
            return
        }
        let lab = try Lab()
        defer { withExtendedLifetime(lab) {} }
        let seconds = context.isQuick ? 1 : 5
        print("Requests/s over 32 connections, \(seconds) s each, twice in turn\n")
        var table = Table("", "requests/s", "again", "resident MB after it")
        let served = programs.serve(port: Self.port, folder: "\(programs.swift)/history")
        let servers = [
            (programs.route(port: Self.port), "/api/status"), (served, "/api/status"), (served, "/healthz"),
        ]
        var rates = [[Double]](repeating: [], count: servers.count)
        var resident = [Int](repeating: 0, count: servers.count)
        for _ in 0..<2 {
            for (index, (contender, path)) in servers.enumerated() {
                let running = try RunningContender(contender)
                defer { running.end() }
                guard running.line(within: 20_000) != nil else { throw BenchError("\(contender.name) does not start") }
                rates[index].append(try Self.rate("http://127.0.0.1:\(Self.port)\(path)", seconds: seconds))
                resident[index] = Usage(of: running.process).resident
            }
        }
        for (index, (contender, path)) in servers.enumerated() {
            table.add(
                contender.isOurs ? "`dialtone serve`, \(path)" : contender.name, Figure.text(rates[index][0]),
                Figure.text(rates[index][1]), Figure.megabytes(resident[index]))
        }
        table.show()
        targets.check(
            "server: Hummingbird, one route ÷ /api/status, requests/s ≤ 2",
            ratio(rates[0].reduce(0, +), rates[1].reduce(0, +)), atMost: 2, unit: "×")
    }

    /// Returns the requests per second that `wrk` reports.
    private static func rate(_ url: String, seconds: Int) throws -> Double {
        let report = try Shell.output(of: "wrk -t1 -c32 -d\(seconds)s \(url)")
        var rate: Double?
        for line in report.split(separator: "\n") {
            if line.contains("Non-2xx") { throw BenchError("\(url): \(line)") }
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "Requests/sec:", let last = words.last { rate = Double(last) }
        }
        guard let rate else { throw BenchError("wrk reports no rate for \(url)") }
        return rate
    }
}

extension Programs {
    /// The server, with its history in a folder.
    func serve(port: Int, folder: String) -> Contender {
        .init(
            name: "`dialtone serve`",
            command: [
                "\(swift)/dialtone-server", "serve", "--passive", "--listen", "127.0.0.1:\(port)", "--data-dir",
                folder,
            ], style: .text, isOurs: true)
    }

    fileprivate func route(port: Int) -> Contender {
        .init(name: "Hummingbird, one route", command: ["\(swift)/RouteContender", "\(port)"], style: .text)
    }
}
