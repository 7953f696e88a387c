//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What the checks of a stretch of time came to: one check, or those of a minute, an hour or more together.
public struct CheckSummary: Codable, Hashable, Sendable {
    /// When the stretch begins; for one check, when it began.
    public var start: Date
    /// How long the stretch is, in seconds; 0 for one check.
    public var length: Double
    /// How many checks came to each verdict; a verdict that none came to is missing.
    public var verdicts: [CheckRecord.Verdict: Int]
    /// The shortest, in seconds, of the latencies; nil when there is none.
    public var shortestLatency: Double?
    /// The mean of the latencies, in seconds.
    public var meanLatency: Double?
    /// The longest of the latencies, in seconds.
    public var longestLatency: Double?
    /// How many of the checks have a latency.
    public var latencies: Int

    /// Makes a summary.
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

    /// The summary of one check.
    public init(_ check: CheckRecord) {
        self.init(
            start: check.time, verdicts: [check.verdict: 1], shortestLatency: check.latency,
            meanLatency: check.latency, longestLatency: check.latency, latencies: check.latency == nil ? 0 : 1)
    }

    /// How many checks there were.
    public var count: Int { verdicts.values.reduce(0, +) }

    /// When the stretch ends.
    public var end: Date { start + length }

    /// Takes the checks of another summary in; the stretch stays as it is.
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
    /// The checks of a window, as at most so many summaries of equal stretches; fewer are left as they are.
    ///
    /// - Parameters:
    ///   - checks: in the order of time.
    ///   - start: when the window begins.
    ///   - end: when it ends.
    ///   - maximum: how many there may be; at least 1.
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
