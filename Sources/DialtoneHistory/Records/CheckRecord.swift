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
        (resolve, connect) = (steps?.resolve.map(Self.seconds), steps?.connect.map(Self.seconds))
        (tls, headers) = (steps?.tls.map(Self.seconds), steps?.headers.map(Self.seconds))
        let sentences = report.remarks.map { ($0.kind.rawValue, "\($0)".shortened(to: 300)) }
        remarks = sentences.isEmpty ? nil : Dictionary(sentences) { first, _ in first }
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}

/// The summary of the checks in a period: one check, or all checks of a minute, an hour or longer.
package struct CheckSummary: Hashable, Sendable {
    /// The start of the period; for a single check, the time when it began.
    package var start: Date
    /// The length of the period in seconds; 0 for a single check.
    package var length: Double
    /// The number of checks per verdict; a verdict without checks is absent.
    package var verdicts: [CheckRecord.Verdict: Int]
    /// The shortest latency in seconds; nil without latencies.
    package var shortestLatency: Double?
    /// The mean latency in seconds; nil without latencies.
    package var meanLatency: Double?
    /// The longest latency in seconds; nil without latencies.
    package var longestLatency: Double?
    /// The number of checks that have a latency.
    package var latencies: Int

    /// Creates a summary of a period; by default one without checks.
    package init(
        start: Date, length: Double = 0, verdicts: [CheckRecord.Verdict: Int] = [:], shortestLatency: Double? = nil,
        meanLatency: Double? = nil, longestLatency: Double? = nil, latencies: Int = 0
    ) {
        self.start = start
        self.length = length
        self.verdicts = verdicts
        self.shortestLatency = shortestLatency
        self.meanLatency = meanLatency
        self.longestLatency = longestLatency
        self.latencies = latencies
    }

    package init(_ check: CheckRecord) {
        self.init(
            start: check.time, verdicts: [check.verdict: 1], shortestLatency: check.latency,
            meanLatency: check.latency, longestLatency: check.latency, latencies: check.latency == nil ? 0 : 1)
    }

    package var count: Int { verdicts.values.reduce(0, +) }

    package var end: Date { start + length }

    /// Adds the checks of another summary without changing the period.
    package mutating func absorb(_ other: CheckSummary) {
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        shortestLatency = [shortestLatency, other.shortestLatency].compactMap(\.self).min()
        longestLatency = [longestLatency, other.longestLatency].compactMap(\.self).max()
        let sum = (meanLatency ?? 0) * Double(latencies) + (other.meanLatency ?? 0) * Double(other.latencies)
        latencies += other.latencies
        meanLatency = latencies == 0 ? nil : sum / Double(latencies)
    }
}

/// Combines the checks of a window, in time order, into a limited number of summaries while they are read.
///
/// A window may contain very many checks. Fewer than the limit are returned unchanged.
struct CheckAccumulator: Sendable {
    private let start: Date
    private let maximum: Int
    /// The length of the period of one summary.
    private let length: Double
    /// The checks themselves, until there are more than `maximum`.
    private var single: [CheckSummary] = []
    /// The summaries by the number of their period.
    private var combined: [Int: CheckSummary] = [:]

    init(from start: Date, to end: Date, maximum: Int) {
        self.start = start
        self.maximum = max(1, maximum)
        length = end.timeIntervalSince(start) / Double(self.maximum)
    }

    /// The summaries in time order.
    var summaries: [CheckSummary] {
        combined.isEmpty ? single : combined.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func add(_ check: CheckSummary) {
        guard combined.isEmpty else { return combine(check) }
        guard single.count == maximum else { return single.append(check) }
        guard length > 0, length.isFinite else { return }
        for check in single + [check] { combine(check) }
        single = []
    }

    private mutating func combine(_ check: CheckSummary) {
        let place = Int(min(max(0, check.start.timeIntervalSince(start) / length), Double(maximum - 1)))
        combined[place, default: CheckSummary(start: start + Double(place) * length, length: length)].absorb(check)
    }
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
