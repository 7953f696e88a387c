//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import GRDB

extension HistoryTransition {
    static let columns = "id, time, state, cause, interfaceName, interfaceType"

    /// A row of the table `transition`, by the places of ``columns``: there may be very many.
    ///
    /// A state that a newer program wrote and this one does not know is `unknown`.
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
            latency: try row.decode(Double?.self, forColumn: "latency"),
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
        // No history has so many; sums of such numbers are still numbers.
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
        let total = try row.decode(Double.self, forColumn: "total")
        self.init(
            start: Date(milliseconds: try row.decode(Int64.self, forColumn: "start")),
            length: Double(try row.decode(Int64.self, forColumn: "length")) / 1000, verdicts: verdicts,
            shortestLatency: try row.decode(Double?.self, forColumn: "shortest"),
            meanLatency: latencies > 0 ? total / Double(latencies) : nil,
            longestLatency: try row.decode(Double?.self, forColumn: "longest"), latencies: latencies)
    }
}

extension Beat {
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
