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
    init(row: Row) {
        self.init(
            time: Date(milliseconds: row[1]), state: HistoryState(rawValue: row[2]) ?? .unknown,
            cause: (row[3] as String?).map(HistoryCause.init), interfaceName: row[4], interfaceType: row[5])
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO transition (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)")
            .execute(arguments: [id, time.milliseconds, state.rawValue, cause?.rawValue, interfaceName, interfaceType])
    }
}

extension CheckRecord {
    static let columns = "id, time, verdict, cause, latency, passed, asked"

    init(row: Row) {
        self.init(
            time: Date(milliseconds: row["time"]), verdict: Verdict(rawValue: row["verdict"]) ?? .inconclusive,
            cause: (row["cause"] as String?).map(HistoryCause.init), latency: row["latency"], passed: row["passed"],
            asked: row["asked"])
    }

    func insert(into db: Database, id: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO \"check\" (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [
                id, time.milliseconds, verdict.rawValue, cause?.rawValue, latency, Int64(passed), Int64(asked),
            ])
    }
}

extension CheckSummary {
    init(row: Row) {
        var verdicts: [CheckRecord.Verdict: Int] = [:]
        for verdict in CheckRecord.Verdict.allCases {
            let count: Int = row[verdict.rawValue]
            if count > 0 { verdicts[verdict] = count }
        }
        let latencies: Int = row["latencies"]
        let total: Double = row["total"]
        self.init(
            start: Date(milliseconds: row["start"]), length: Double(row["length"] as Int64) / 1000,
            verdicts: verdicts, shortestLatency: row["shortest"],
            meanLatency: latencies > 0 ? total / Double(latencies) : nil, longestLatency: row["longest"],
            latencies: latencies)
    }
}

extension Beat {
    init(row: Row) {
        self.init(
            reading: ClockReading(
                wall: Date(milliseconds: row["wall"]), boottime: row["boottime"], monotonic: row["monotonic"],
                boot: row["boot"]),
            isEnd: row["isEnd"], interval: row["interval"])
    }
}
