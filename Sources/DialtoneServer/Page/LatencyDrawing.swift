// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// A small line chart of the latency of the fastest endpoint in each check.
struct LatencyDrawing {
    let checks: [CheckSummary]
    let start: Date
    let end: Date

    /// An interval longer than this multiple of the median interval breaks the line.
    private static let gap = 4.0

    /// The drawing; nil without measurements.
    var html: HTML? {
        let points = checks.compactMap { check in check.meanLatency.map { (place(check.start), $0) } }
        let values = points.map(\.1)
        guard let least = values.min(), let most = values.max(), points.count > 1 else { return nil }
        let median = values.sorted()[values.count / 2]
        let lines = strokes(points, top: max(most, 0.001))
        return """
            <h3 id="latency-title">Latency of checks: median \(Figures.latency(median)), from \
            \(Figures.latency(least)) to \(Figures.latency(most))</h3>
            <svg class="spark" viewBox="0 0 1000 50" preserveAspectRatio="none" role="img" \
            aria-labelledby="latency-title" focusable="false"><path class="axis" d="M0 49 H1000"/>\(lines)</svg>
            """
    }

    private func place(_ date: Date) -> Double {
        let length = max(0.001, end.timeIntervalSince(start))
        return min(max(date.timeIntervalSince(start) / length, 0), 1)
    }

    private func strokes(_ points: [(Double, Double)], top: Double) -> [HTML] {
        var groups: [[(Double, Double)]] = []
        let pauses = zip(points.dropFirst(), points).map { $0.0 - $1.0 }.sorted()
        let longest = pauses.isEmpty ? 0 : pauses[pauses.count / 2] * Self.gap
        for point in points {
            if let last = groups.last?.last, point.0 - last.0 <= longest {
                groups[groups.count - 1].append(point)
            } else {
                groups.append([point])
            }
        }
        return groups.map { group in
            // A single point would have no length.
            let group = group.count > 1 ? group : group.map { ($0.0, $0.1) } + group.map { ($0.0 + 0.002, $0.1) }
            let text = group.map { "\(Self.tenths($0.0 * 1000)),\(Self.tenths(47 - 44 * $0.1 / top))" }
                .joined(separator: " ")
            let (first, last) = (Self.tenths((group.first?.0 ?? 0) * 1000), Self.tenths((group.last?.0 ?? 0) * 1000))
            return "<polygon points=\"\(first),49 \(text) \(last),49\"/><polyline points=\"\(text)\"/>"
        }
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
