//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
public import DialtoneHistory

/// A check whose every report goes into the history and the metrics, also when it only confirms the one before.
public final class RecordedCheck: InternetChecking {
    let meter = Meter()
    private let checker: any InternetChecking
    private let history: HistoryStore

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - checker: who checks.
    ///   - history: where the reports go.
    public init(_ checker: any InternetChecking, in history: HistoryStore) {
        self.checker = checker
        self.history = history
    }

    /// Checks, and records what came of it.
    public func check(over path: NetworkPath) async -> InternetCheck.Report {
        let report = await checker.check(over: path)
        // A check that was given up says nothing about the network.
        if !Task.isCancelled {
            history.record(CheckRecord(report))
            meter.check(report)
        }
        return report
    }
}
