// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The summary of the checks in a period: one check, or all checks of a minute, an hour or longer.
public struct CheckSummary: Codable, Hashable, Sendable {
    /// The start of the period; for a single check, the time when it began.
    public var start: Date
    /// The length of the period in seconds; 0 for a single check.
    public var length: Double
    /// The number of checks per verdict; a verdict without checks is absent.
    public var verdicts: [CheckRecord.Verdict: Int]
    /// The shortest latency in seconds; nil without latencies.
    public var shortestLatency: Double?
    /// The mean latency in seconds; nil without latencies.
    public var meanLatency: Double?
    /// The longest latency in seconds; nil without latencies.
    public var longestLatency: Double?
    /// The number of checks that have a latency.
    public var latencies: Int

    /// Creates a summary of a period; by default one without checks.
    public init(
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

    /// Creates the summary of one check.
    public init(_ check: CheckRecord) {
        self.init(
            start: check.time, verdicts: [check.verdict: 1], shortestLatency: check.latency,
            meanLatency: check.latency, longestLatency: check.latency, latencies: check.latency == nil ? 0 : 1)
    }

    /// The number of checks.
    public var count: Int { verdicts.values.reduce(0, +) }

    /// The end of the period.
    public var end: Date { start + length }

    /// Adds the checks of another summary without changing the period.
    public mutating func absorb(_ other: CheckSummary) {
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        shortestLatency = [shortestLatency, other.shortestLatency].compactMap(\.self).min()
        longestLatency = [longestLatency, other.longestLatency].compactMap(\.self).max()
        let sum = (meanLatency ?? 0) * Double(latencies) + (other.meanLatency ?? 0) * Double(other.latencies)
        latencies += other.latencies
        meanLatency = latencies == 0 ? nil : sum / Double(latencies)
    }
}

extension CheckSummary {
    /// Combines the checks of a window into at most `maximum` summaries of equal periods; fewer checks are returned
    /// unchanged.
    ///
    /// - Parameters:
    ///   - checks: the checks in time order.
    ///   - start: the start of the window.
    ///   - end: the end of the window.
    ///   - maximum: the maximum number of summaries; at least 1.
    public static func thinned(
        _ checks: [CheckSummary], from start: Date, to end: Date, maximum: Int
    ) -> [CheckSummary] {
        guard checks.count > max(1, maximum) else { return checks }
        let length = end.timeIntervalSince(start) / Double(max(1, maximum))
        guard length > 0, length.isFinite else { return Array(checks.prefix(max(1, maximum))) }
        var result: [CheckSummary] = []
        var last = -1
        for check in checks {
            let place = Int(min(max(0, check.start.timeIntervalSince(start) / length), Double(max(1, maximum) - 1)))
            if place != last {
                result.append(CheckSummary(start: start + Double(place) * length, length: length))
                last = place
            }
            result[result.count - 1].absorb(check)
        }
        return result
    }
}
