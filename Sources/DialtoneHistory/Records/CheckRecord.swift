// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

package struct CheckRecord: Hashable, Sendable {
    /// The verdict of a check, without its associated values.
    package enum Verdict: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
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
    }

    /// The wall-clock time when the check began; stored to the millisecond.
    package var time: Date
    package var verdict: Verdict
    /// Why the check did not verify the Internet.
    package var cause: HistoryCause?
    /// The latency of the fastest endpoint that answered as expected, in seconds; nil when none did.
    package var latency: Double?
    /// The seconds in which that endpoint's name was resolved; nil without that step, and in records of older versions.
    package var resolve: Double?
    /// The seconds in which that endpoint was connected.
    package var connect: Double?
    /// The seconds of the TLS handshake with that endpoint.
    package var tls: Double?
    /// The seconds from the request to the end of the header section of that endpoint's answer.
    package var headers: Double?
    /// The number of endpoints that answered as expected.
    package var passed: Int
    /// The number of endpoints queried.
    package var asked: Int
    /// What worked badly although the Internet answered: a sentence for each kind of remark; nil without one, and in records
    /// of older versions.
    package var remarks: [String: String]?

    package init(
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

    package init(_ report: InternetCheck.Report) {
        let passed = report.endpoints.filter(\.passed)
        let steps = passed.map(\.durations).min { $0.latency < $1.latency }
        self.init(
            time: report.checkedAt, verdict: Verdict(rawValue: report.verdict.reportName) ?? .inconclusive,
            cause: report.cause.map { HistoryCause($0) }, latency: report.latency.map(Self.seconds),
            passed: passed.count, asked: report.endpoints.count)
        resolve = steps?.resolve.map(Self.seconds)
        connect = steps?.connect.map(Self.seconds)
        tls = steps?.tls.map(Self.seconds)
        headers = steps?.headers.map(Self.seconds)
        let sentences = report.remarks.map { ($0.kind.rawValue, "\($0)".shortened(to: 300)) }
        remarks = sentences.isEmpty ? nil : Dictionary(sentences) { first, _ in first }
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}

/// Times as the history stores them: whole milliseconds since 1970, so that sums are exact.
extension Date {
    /// The milliseconds since 1970, rounded; years beyond 10000 are clamped to that range, and NaN becomes 0.
    package var milliseconds: Int64 {
        let value = timeIntervalSince1970 * 1000
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value, -253_402_300_800_000), 253_402_300_800_000).rounded())
    }

    /// Creates the time at this number of milliseconds since 1970, clamped to the same range.
    init(milliseconds: Int64) {
        let range: ClosedRange<Int64> = -253_402_300_800_000...253_402_300_800_000
        self.init(timeIntervalSince1970: Double(min(max(milliseconds, range.lowerBound), range.upperBound)) / 1000)
    }
}
