// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport
import GRDB

extension HistoryTransition {
    static let columns = "id, time, state, cause, interfaceName, interfaceType"

    /// Decodes a row of the table `transition` by column index, as listed in ``columns``, because there may be very
    /// many rows.
    ///
    /// An unknown state, written by a newer program, is read as `unknown`.
    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try row.decode(Int64.self, atIndex: 1)),
            state: HistoryState(rawValue: try row.decode(String.self, atIndex: 2)) ?? .unknown,
            cause: try row.decode(String?.self, atIndex: 3).map(HistoryCause.init(rawValue:)),
            interfaceName: try row.decode(String?.self, atIndex: 4),
            interfaceType: try row.decode(String?.self, atIndex: 5))
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO transition (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)")
            .execute(arguments: [id, time.milliseconds, state.rawValue, cause?.rawValue, interfaceName, interfaceType])
    }
}

extension CheckRecord {
    static let columns = "id, time, verdict, cause, latency, passed, asked"

    init(row: Row) throws {
        self.init(
            time: Date(milliseconds: try row.decode(Int64.self, forColumn: "time")),
            verdict: Verdict(rawValue: try row.decode(String.self, forColumn: "verdict")) ?? .inconclusive,
            cause: try row.decode(String?.self, forColumn: "cause").map(HistoryCause.init(rawValue:)),
            latency: try row.latency("latency"),
            passed: try row.decode(Int.self, forColumn: "passed"), asked: try row.decode(Int.self, forColumn: "asked"))
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO \"check\" (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [
                id, time.milliseconds, verdict.rawValue, cause?.rawValue, latency, Int64(passed), Int64(asked),
            ])
    }
}

extension CheckSummary {
    init(row: Row) throws {
        // No real history has counts this large; clamping keeps their sums from overflowing.
        func number(_ name: String) throws -> Int {
            let number = try row.decode(Int64.self, forColumn: name)
            return Int(min(max(0, number), Int64(Int32.max)))
        }
        var verdicts: [CheckRecord.Verdict: Int] = [:]
        for verdict in CheckRecord.Verdict.allCases {
            let count = try number(verdict.rawValue)
            if count > 0 { verdicts[verdict] = count }
        }
        let latencies = try number("latencies")
        let total = try row.latency("total") ?? 0
        self.init(
            start: Date(milliseconds: try row.decode(Int64.self, forColumn: "start")),
            length: Double(try row.decode(Int64.self, forColumn: "length")) / 1000, verdicts: verdicts,
            shortestLatency: try row.latency("shortest"),
            meanLatency: latencies > 0 ? total / Double(latencies) : nil,
            longestLatency: try row.latency("longest"), latencies: latencies)
    }
}

extension Heartbeat {
    init(row: Row) throws {
        self.init(
            reading: ClockReading(
                wall: Date(milliseconds: try row.decode(Int64.self, forColumn: "wall")),
                boottime: try row.decode(Double.self, forColumn: "boottime"),
                monotonic: try row.decode(Double.self, forColumn: "monotonic"),
                boot: try row.decode(String.self, forColumn: "boot")),
            isEnd: try row.decode(Bool.self, forColumn: "isEnd"),
            interval: try row.decode(Double.self, forColumn: "interval"))
    }
}

extension Row {
    /// A latency in seconds; nil for an invalid number, as in a damaged file.
    fileprivate func latency(_ name: String) throws -> Double? {
        guard let value = try decode(Double?.self, forColumn: name), value >= 0, value < 1e9 else { return nil }
        return value
    }
}
