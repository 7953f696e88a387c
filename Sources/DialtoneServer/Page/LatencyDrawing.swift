// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// A line chart of the latency of checks that passed: the mean, and a band from the shortest to the longest.
struct LatencyDrawing {
    let checks: [CheckSummary]
    let start: Date
    let end: Date

    /// An interval longer than this multiple of the median interval breaks the line.
    private static let gap = 4.0
    /// The size of the chart, in its own units.
    private static let (width, height) = (1000.0, 80.0)

    private struct Point {
        var place: Double
        var mean: Double
        var shortest: Double
        var longest: Double
    }

    /// The drawing; nil without measurements.
    var html: HTML? {
        let groups = groups
        let values = groups.joined().map(\.mean).sorted()
        guard let least = values.first, let most = values.last, values.count > 1 else { return nil }
        // A few very slow checks must not flatten the line: the band is cut at the top.
        let longest = groups.joined().map(\.longest).sorted()
        let axis = LatencyAxis(max(most, longest[(longest.count - 1) * 9 / 10]))
        let lines: [HTML] = [0, 40, 80].map { "<line x2=\"100%\" y1=\"\($0 + 1)\" y2=\"\($0 + 1)\"/>" }
        return """
            <h3 id="latency-title">Latency of checks that passed: median \(Figures.latency(values[values.count / 2])), \
            from \(Figures.latency(least)) to \(Figures.latency(most)) (top line: \(axis.title))</h3>
            <svg class="latency" role="img" aria-labelledby="latency-title" focusable="false"><g aria-hidden="true">
            <svg viewBox="0 0 1000 80" y="1" height="80" preserveAspectRatio="none">\
            \(groups.map { strokes($0, top: axis.top) })</svg>
            \(lines)</g></svg>
            """
    }

    /// The points of each line: a check that failed, or a long time without one, breaks the line.
    private var groups: [[Point]] {
        let length = max(0.001, end.timeIntervalSince(start))
        var groups: [[Point]] = []
        var isBroken = true
        let points = checks.map { check -> Point? in
            guard check.verdicts[.verified, default: 0] > 0, let mean = check.meanLatency else { return nil }
            let middle = check.start.timeIntervalSince(start) + check.length / 2
            return Point(
                place: min(max(middle / length, 0), 1), mean: mean, shortest: check.shortestLatency ?? mean,
                longest: check.longestLatency ?? mean)
        }
        let passed = points.compactMap(\.self)
        let pauses = zip(passed.dropFirst(), passed).map { $0.place - $1.place }.sorted()
        let longest = pauses.isEmpty ? 0 : pauses[pauses.count / 2] * Self.gap
        for point in points {
            guard let point else {
                isBroken = true
                continue
            }
            if !isBroken, let last = groups.last?.last, point.place - last.place <= longest {
                groups[groups.count - 1].append(point)
            } else {
                groups.append([point])
            }
            isBroken = false
        }
        return groups
    }

    private func strokes(_ group: [Point], top: Double) -> HTML {
        func text(_ place: Double, _ value: Double) -> String {
            let y = Self.height * (1 - min(1, value / top))
            return "\(TimelineMarks.tenths(place * Self.width)),\(TimelineMarks.tenths(y))"
        }
        // A single point would have no length.
        var line = group
        if var point = group.first, group.count == 1 {
            point.place += 0.002
            line.append(point)
        }
        let mean = line.map { text($0.place, $0.mean) }.joined(separator: " ")
        var band: HTML?
        if line.contains(where: { $0.shortest < $0.longest }) {
            let upper = line.map { text($0.place, $0.longest) }
            let lower = line.reversed().map { text($0.place, $0.shortest) }
            band = "<polygon points=\"\((upper + lower).joined(separator: " "))\"/>"
        }
        return "\(band)<polyline points=\"\(mean)\"/>"
    }
}

/// The axis of a latency chart: from 0 to a round maximum.
struct LatencyAxis: Hashable {
    /// The maximum in seconds: 2, 4 or 10 milliseconds, or one of these times a power of ten.
    let top: Double

    /// - Parameter most: the longest latency, in seconds.
    init(_ most: Double) {
        var unit = 0.001
        while most > 10 * unit, unit < 1e9 { unit *= 10 }
        top = [2, 4].map { $0 * unit }.first { $0 >= most } ?? 10 * unit
    }

    /// The maximum in words.
    var title: String {
        top < 0.9995 ? "\(Int((top * 1000).rounded())) ms" : "\(Int(top.rounded())) s"
    }
}
