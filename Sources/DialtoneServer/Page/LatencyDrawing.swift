//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneHistory
import FoundationEssentials

/// How long the quickest endpoint took, check by check, as a small line.
struct LatencyDrawing {
    let checks: [CheckSummary]
    let start: Date
    let end: Date

    /// Longer pauses than this share of the window break the line.
    private static let gap = 0.1

    /// Nil where nothing was measured.
    var html: HTML? {
        let points = checks.compactMap { check in check.meanLatency.map { (place(check.start), $0) } }
        let values = points.map(\.1)
        guard let least = values.min(), let most = values.max(), points.count > 1 else { return nil }
        let median = values.sorted()[values.count / 2]
        let lines = strokes(points, top: max(most, 0.001))
        return """
            <h3 id="latency-title">Latency of checks: \(Words.milliseconds(median)) in the middle, \
            \(Words.milliseconds(least)) to \(Words.milliseconds(most))</h3>
            <svg class="spark" viewBox="0 0 1000 50" preserveAspectRatio="none" role="img" \
            aria-labelledby="latency-title" focusable="false">\(lines)</svg>
            """
    }

    private func place(_ date: Date) -> Double {
        let length = max(0.001, end.timeIntervalSince(start))
        return min(max(date.timeIntervalSince(start) / length, 0), 1)
    }

    private func strokes(_ points: [(Double, Double)], top: Double) -> [HTML] {
        var groups: [[(Double, Double)]] = []
        for point in points {
            if let last = groups.last?.last, point.0 - last.0 <= Self.gap {
                groups[groups.count - 1].append(point)
            } else {
                groups.append([point])
            }
        }
        return groups.map { group in
            // A single point would have no length.
            let group = group.count > 1 ? group : group.map { ($0.0, $0.1) } + group.map { ($0.0 + 0.002, $0.1) }
            let text = group.map { "\(Int($0.0 * 1000)),\(Int(47 - 44 * $0.1 / top))" }.joined(separator: " ")
            return "<polyline points=\"\(text)\"/>"
        }
    }
}
