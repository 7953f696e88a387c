// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of one check.
public struct CheckRecord: Codable, Hashable, Sendable {
    /// The verdict of a check, without its associated values.
    public enum Verdict: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
        /// The Internet answered.
        case verified
        /// HTTP works, but HTTPS does not.
        case partial
        /// The network requires a login first.
        case captivePortal
        /// The Internet did not answer.
        case noInternet
        /// There was not enough evidence for a verdict.
        case inconclusive

        /// Converts the verdict of a check.
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

    /// The wall-clock time when the check began; stored to the millisecond.
    public var time: Date
    /// The verdict of the check.
    public var verdict: Verdict
    /// The reason why the Internet did not answer.
    public var cause: HistoryCause?
    /// The latency of the fastest endpoint that answered as expected, in seconds; nil when none did.
    public var latency: Double?
    /// The number of endpoints that answered as expected.
    public var passed: Int
    /// The number of endpoints queried.
    public var asked: Int

    /// Creates a record from the result of one check.
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

    /// Creates a record from the report of a check.
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
