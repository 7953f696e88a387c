// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport
import Testing

/// A home in which faults are played one after the other, while `dialtone serve` records with its defaults.
///
/// The provider has two routers. The first one answers all the time.
struct Home: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var rows: [DayRow]
    private var isDualStack = true
    /// Whether programs may send echo requests, as on distributions with systemd.
    private var allowsEcho = false
    /// Whether the router is the name server, and answers from its cache.
    private var hasCache = false
    /// Whether packets to the public resolvers are dropped.
    private var blocksResolvers = false

    private init(_ name: String, _ rows: DayRow...) { (testDescription, self.rows) = (name, rows) }

    /// The same home with other properties.
    func with(_ change: (inout Home) -> Void) -> Home {
        var home = self
        change(&home)
        return home
    }

    /// Every home; each takes less than ten minutes, or an hour (`DIALTONE_HOUR` seconds) where its rows say so.
    static let all = [
        Home("IPv4 only", .cable, .restart(of: 68), .silent(for: 16)).with { $0.isDualStack = false },
        Home("echo", .dead, .uplink, .restart(of: 30)).with { $0.allowsEcho = true },
        Home("default", .unreachable, .silentNames, .restart(of: 90)),
        Home("IPv4 only, echo", .lateNames, .cable).with { ($0.isDualStack, $0.allowsEcho) = (false, true) },
        Home("echo, slow", .slowNames, .box).with { $0.allowsEcho = true },
        Home("lossy", .someLoss, .muchLoss),
        Home("IPv4 only, portal", .login, .dead, .lateAddress).with { $0.isDualStack = false },
        Home(
            "reconnect", .reconnect, .brief(for: 9), .brief(for: 10), .brief(for: 12), .brief(for: 15), .brief(for: 20)),
        Home("resolvers blocked", .blocked).with { ($0.blocksResolvers, $0.allowsEcho) = (true, true) },
        Home("cache", .uplink, .silent(for: 25), .box, .switchRestart).with { $0.hasCache = true },
        Home("provider dead", .deadAfterRestart),
        Home("IPv4 only, two uplinks", .failover).with { $0.isDualStack = false },
        Home("impostor", .impostor).with { $0.allowsEcho = true },
        Home("5 % loss", .loss(5)), Home("30 % loss", .loss(30)), Home("60 % loss", .loss(60)),
        Home("delay", .delay), Home("filled uplink", .filledUplink),
        Home("random outages", .randomOutages).with { $0.allowsEcho = true },
    ]

    /// The home that each run of the tests makes.
    static let everyTime = Home("short", .cable, .silent(for: 25))

    /// The time without a fault before and after each.
    private static let quiet = Duration.seconds(12)

    private struct Unreadable: Error { let errors: [String] }

    /// Plays the rows, and returns a line of the table for each.
    func play(tolerance: Double) async throws -> [DayLine] {
        let server = hasCache ? "192.0.2.1" : "203.0.113.53"
        let lab = try await FaultLab(resolver: server, dualStack: isDualStack, providerRouters: 2)
        // The resolver's default waits.
        try lab.served.configureNames("nameserver \(server)\n")
        try await lab.furnish()
        if hasCache { try await lab.cache() }
        if allowsEcho {
            try await lab.served.network.client.run { try Setting.write("ipv4/ping_group_range", "0 0") }
        }
        if blocksResolvers {
            let resolvers = Set([NetworkAddress].publicResolvers)
            lab.wires.provider.first?.play {
                $0.isOutward && $0.destination.map(resolvers.contains) == true ? .drop : .pass
            }
        }
        try await lab.join()
        let dialtone = try await LabServer(in: lab.served)
        var played: [PlayedRow] = []
        for row in rows {
            try await Self.rest(dialtone)
            played.append(try await PlayedRow(row, in: lab, dialtone))
        }
        try await Self.rest(dialtone)
        dialtone.run.terminate()
        _ = try await dialtone.run.exitStatus()
        func history(_ format: String...) async throws -> String {
            let run = try await lab.served.run(
                ["history"] + format + ["--since", "3h", "--data-dir", dialtone.data.path])
            guard try await run.exitStatus() == 0 else { throw Unreadable(errors: run.errors.values) }
            return run.output.values.joined(separator: "\n")
        }
        let recorded = try JSONDecoder().decode(RecordedHistory.self, from: Data(try await history("--json").utf8))
        let report = try DayReport(html: try await history("--report", "--language", "en"))
        let lines = played.enumerated().map { place, row in
            let next = played.dropFirst(place + 1).first?.begin ?? .distantFuture
            func own(_ periods: [RecordedOutage]) -> [RecordedOutage] {
                periods.filter { $0.end >= row.begin && $0.end < next }
            }
            return DayLine(
                testDescription, row, own(recorded.outages), drops: own(recorded.drops), tolerance: tolerance)
        }
        return lines + [DayLine(testDescription, played, report, tolerance: tolerance)]
    }

    /// Waits until the server has reported for a while that all is well.
    private static func rest(_ server: LabServer) async throws {
        for wait in [.zero, quiet] {
            try await TimeSource.system.sleep(for: wait)
            let end = TimeSource.system.now + .seconds(120)
            while Conclusion(json: try await server.get("/api/status"))?.state != "online", TimeSource.system.now < end
            {
                try await TimeSource.system.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension FaultLab {
    /// Starts the servers that the other networks do without: name servers at the public addresses, and a box at the provider's first
    /// router that accepts connections.
    fileprivate func furnish() async throws {
        keep(
            try await served.network.internet.run {
                try Self.publicAddresses.map {
                    try ScriptedNameServer(playing: ScriptedResolver(), address: "\($0.address)")
                }
            })
        for router in served.network.provider {
            keep(
                try await router.run {
                    try Self.liftReportLimits()
                    return try ScriptedInternet(.silent, address: "::", httpPort: 80, httpsPort: 443)
                })
        }
    }
}

/// A fault that was played, with the truth about it.
struct PlayedRow: Sendable {
    let row: DayRow
    let begin: Date
    let end: Date
    /// The remarks and explanations of the server meanwhile.
    let remarks: Set<String>

    init(_ row: DayRow, in lab: FaultLab, _ server: LabServer) async throws {
        var remarks: Set<String> = []
        self.row = row
        try await row.before(lab)
        begin = .wall
        for step in row.steps {
            let end = TimeSource.system.now + .seconds(step.seconds)
            try await step.begin(lab)
            while TimeSource.system.now < end {
                try await TimeSource.system.sleep(until: min(end, TimeSource.system.now + .seconds(2)))
                guard case .remark = row.truth else { continue }
                let status = try await server.get("/api/status")
                remarks.formUnion(Conclusion.remarks(json: status))
                if let sentence = Conclusion(json: status)?.sentence { remarks.insert(sentence) }
            }
        }
        end = .wall
        try await row.end(lab)
        self.remarks = remarks
    }
}

/// The output of `dialtone history --json`.
private struct RecordedHistory: Decodable { let outages, drops: [RecordedOutage] }

/// An outage in the history: when it began and ended, at the latest and, if known, at the earliest.
struct RecordedOutage: Decodable {
    let start: Date
    let earliestStart: Date?
    let end: Date
    let earliestEnd: Date?
    let fault: String?
    let reason: String?

    private enum CodingKeys: String, CodingKey {
        case start = "from", earliestStart = "earliestFrom", end = "to", earliestEnd = "earliestTo", fault, reason
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func date(_ text: String) throws -> Date {
            try Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
        }
        start = try date(fields.decode(String.self, forKey: .start))
        earliestStart = try fields.decodeIfPresent(String.self, forKey: .earliestStart).map(date)
        end = try date(fields.decode(String.self, forKey: .end))
        earliestEnd = try fields.decodeIfPresent(String.self, forKey: .earliestEnd).map(date)
        fault = try fields.decodeIfPresent(String.self, forKey: .fault)
        reason = try fields.decodeIfPresent(String.self, forKey: .reason)
    }

    /// Whether true times are within its margins.
    func contains(_ begin: Date, _ end: Date, tolerance: Double) -> Bool {
        begin >= (earliestStart ?? .distantPast) - tolerance && begin <= start + tolerance
            && end >= (earliestEnd ?? .distantPast) - tolerance && end <= self.end + tolerance
    }
}

/// A line of the table: a fault as it was, and as it was recorded.
struct DayLine: Sendable {
    /// Whether the history contains what it must, except for a known defect.
    let isRight: Bool
    let text: String

    init(isRight: Bool, text: String) { (self.isRight, self.text) = (isRight, text) }

    /// - Parameter tolerance: the number of seconds that a busy machine may add to the bounds.
    init(
        _ home: String, _ played: PlayedRow, _ outages: [RecordedOutage], drops: [RecordedOutage], tolerance: Double
    ) {
        let delays = (outages + drops).first.flatMap { first in
            (outages + drops).last.map {
                (begin: first.start.timeIntervalSince(played.begin), end: $0.end.timeIntervalSince(played.end))
            }
        }
        let faults = outages.map { $0.fault ?? "-" } + drops.map { _ in "drop" }
        let expected: String
        let isTimely: Bool
        var isTrue = true
        switch played.row.truth {
        case .outage(let fault, let other, let limit):
            expected = fault
            isTimely = outages.count == 1 && delays.map { max(abs($0.begin), abs($0.end)) <= limit + tolerance } == true
            isTrue = faults.allSatisfy { [fault, other].contains($0) }
        case .noticed(let fault):
            expected = fault ?? "any"
            let all = outages + drops
            isTimely = all.count == 1 && all[0].contains(played.begin, played.end, tolerance: max(0.2, tolerance))
            isTrue = fault == nil || faults.allSatisfy { [fault, "-", "drop"].contains($0) }
        case .calm(let log, let orChance):
            expected = "no outage"
            isTimely = outages.allSatisfy { orChance && $0.fault == nil }
            isTrue = drops.allSatisfy { log.isSilent(from: $0.start, to: $0.earliestEnd ?? $0.end) }
        case .each(let log):
            let all = outages + drops
            let truths = log.outages.map { truth in
                (truth, own: all.filter { $0.end > truth.begin && $0.start < truth.end + 5 })
            }
            let long = truths.filter { $0.0.end.timeIntervalSince($0.0.begin) >= 8 }
            let short = truths.filter { $0.0.end.timeIntervalSince($0.0.begin) < 8 }
            expected =
                "\(long.count { !$0.own.isEmpty })/\(long.count) \(short.count { !$0.own.isEmpty })/\(short.count)"
            isTimely =
                long.allSatisfy { $0.own.count == 1 }
                && truths.allSatisfy { truth, own in
                    own.allSatisfy { $0.contains(truth.begin, truth.end, tolerance: max(0.2, tolerance)) }
                }
            isTrue =
                all.count == truths.reduce(0) { $0 + $1.own.count }
                && faults.allSatisfy { ["provider", "-", "drop"].contains($0) }
        case .remark(let text, let orChance):
            expected = "remark"
            isTimely = played.remarks.contains { $0.contains(text) }
            isTrue = faults.allSatisfy { orChance && $0 == "-" }
        case .chance:
            expected = "chance"
            isTimely = true
            isTrue = faults.allSatisfy { $0 == "-" }
        }
        isRight = isTimely && isTrue
        let mark = isRight ? "ok  " : "FAIL"
        let notes = isRight ? [] : outages.compactMap(\.reason)
        func column(_ text: String, _ width: Int) -> String {
            text.padding(toLength: width, withPad: " ", startingAt: 0)
        }
        func time(_ date: Date) -> String { date.formatted(.iso8601.time(includingFractionalSeconds: true)) }
        func seconds(_ value: Double?) -> String {
            value.map { $0.formatted(.number.precision(.fractionLength(1)).sign(strategy: .always())) + " s" } ?? "-"
        }
        /// The recorded margin before it.
        func margin(_ earliest: Date?, _ latest: Date?) -> String {
            guard let earliest, let latest else { return "" }
            return "(\(seconds(earliest.timeIntervalSince(latest))))"
        }
        self.text = [
            mark, column(played.row.name, 28), column(home, 18), time(played.begin),
            column(seconds(delays?.begin), 8),
            column(margin((outages + drops).first?.earliestStart, (outages + drops).first?.start), 10),
            time(played.end), column(seconds(delays?.end), 8),
            column(margin((outages + drops).last?.earliestEnd, (outages + drops).last?.end), 10), column(expected, 11),
            (faults + played.remarks.sorted() + notes).joined(separator: ", "),
        ].joined(separator: "  ")
    }
}
