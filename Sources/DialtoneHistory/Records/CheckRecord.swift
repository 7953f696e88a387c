//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone
public import FoundationEssentials

/// What one check came to.
public struct CheckRecord: Codable, Hashable, Sendable {
    /// What a check came to, without what belongs to it.
    public enum Verdict: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
        /// The Internet answered.
        case verified
        /// HTTP passes, HTTPS does not.
        case partial
        /// The network wants a login first.
        case captivePortal
        /// The Internet did not answer.
        case noInternet
        /// There was too little evidence.
        case inconclusive

        /// The verdict of a check.
        public init(_ verdict: InternetCheck.Verdict) {
            switch verdict {
            case .verified: self = .verified
            case .partial: self = .partial
            case .captivePortal: self = .captivePortal
            case .noInternet: self = .noInternet
            case .inconclusive: self = .inconclusive
            }
        }
    }

    /// When it began, by the wall clock; kept to the millisecond.
    public var time: Date
    /// What it came to.
    public var verdict: Verdict
    /// Why the Internet did not answer.
    public var cause: HistoryCause?
    /// How long the quickest endpoint that answered as expected took, in seconds; nil when none did.
    public var latency: Double?
    /// How many endpoints answered as expected.
    public var passed: Int
    /// How many were asked.
    public var asked: Int

    /// Makes a record.
    public init(
        time: Date, verdict: Verdict, cause: HistoryCause? = nil, latency: Double? = nil, passed: Int = 0,
        asked: Int = 0
    ) {
        self.time = time
        self.verdict = verdict
        self.cause = cause
        self.latency = latency
        self.passed = passed
        self.asked = asked
    }

    /// Makes a record of a check's report.
    public init(_ report: InternetCheck.Report) {
        let passed = report.endpoints.filter(\.passed)
        self.init(
            time: report.checkedAt, verdict: Verdict(report.verdict),
            cause: report.verdict.reason.map { HistoryCause(rawValue: $0.rawValue) },
            latency: passed.map(\.durations.total).min().map(Self.seconds), passed: passed.count,
            asked: report.endpoints.count)
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
