// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// The round trips and the loss of each hop, and what checks remarked, as lines over the same time as the timeline above them.
struct HopLines {
    let hops: [HopPeriod]
    /// The checks with remarks, and the first check after each series of them, in order.
    var remarked: [CheckRecord] = []
    let start: Date
    let end: Date

    /// The number of points of a line.
    static let columns = 144
    /// The longest period that is drawn.
    static let longest = 100 * 86_400.0
    /// The number of rows that the drawing needs at most: hours, and the minutes of four days, because they stay for more than two days,
    /// and for a day more while the clock is not trusted.
    static let maximumRows = 3 * (4 * 1440 + 100 * 24)
    /// The longest period with remarks: single checks are kept for as long.
    static let longestRemarked = 2 * 86_400.0
    /// The number of checks with remarks that are drawn at most: a day of one every five seconds.
    static let maximumRemarked = 17_280
    /// The time after which a check no longer confirms a remark.
    private static let longestPause = 900.0
    /// The size of a drawing, in its own units.
    private static let width = 1000.0
    private static let height = 40.0

    /// The drawings; nil without a hop that was asked, and without a remark.
    var html: HTML? {
        let lines = HeartbeatHop.allCases.compactMap(line) + remarkLines
        return lines.isEmpty ? nil : "<div class=\"hop-lines\">\(lines)</div>"
    }

    /// A line for each kind of remark, with a bar for each time in which the checks made it.
    private var remarkLines: [HTML] {
        Set(remarked.flatMap { ($0.remarks ?? [:]).keys }).sorted().compactMap { kind in
            let checks = remarked.filter { $0.remarks?[kind] != nil }
            guard let last = checks.last, let sentence = last.remarks?[kind] else { return nil }
            let count = checks.count == 1 ? "one check" : "\(checks.count) checks, the last"
            return """
                <figure class="remark"><figcaption id="remark-\(kind)">\(sentence.withoutFullStop): \(count) at \
                \(LocalTime.element(last.time, .day))</figcaption><svg role="img" aria-labelledby="remark-\(kind)" \
                focusable="false" viewBox="0 0 1000 10" preserveAspectRatio="none"><path d="\(bars(kind))"/></svg></figure>
                """
        }
    }

    /// A bar from the first to the last check of each series with a remark, and at least a column wide.
    private func bars(_ kind: String) -> String {
        var series: [(first: Date, last: Date)] = []
        var isInSeries = false
        for check in remarked {
            let isRemarked = check.remarks?[kind] != nil
            if isRemarked, isInSeries, let last = series.last?.last,
                check.time.timeIntervalSince(last) <= Self.longestPause
            {
                series[series.count - 1].last = check.time
            } else if isRemarked {
                series.append((check.time, check.time))
            }
            isInSeries = isRemarked
        }
        let scale = Self.width / max(1, end.timeIntervalSince(start))
        return series.map { first, last in
            let left = min(first.timeIntervalSince(start) * scale, Self.width - Self.width / Double(Self.columns))
            let right = max(last.timeIntervalSince(start) * scale, left + Self.width / Double(Self.columns))
            return TimelineMarks.box(left, right, height: 10)
        }.joined()
    }

    private func line(_ hop: HeartbeatHop) -> HTML? {
        let points = points(hop)
        let all = HopStatistics(merging: points.map(\.statistics))
        guard all.sent > 0 else { return nil }
        let axis = LatencyAxis(points.compactMap(\.statistics.seconds.median).max() ?? 0)
        let median =
            all.seconds.median.map { "median \(Figures.latency($0)) (full height: \(axis.title))" } ?? "no answer"
        let loss =
            (all.lost == 0 ? "nothing lost" : "\(Figures.percentage(all.loss)) lost")
            + (all.late == 0 ? "" : ", \(Figures.percentage(Double(all.late) / Double(all.sent))) late")
        return """
            <figure><figcaption id="line-\(hop.rawValue)">\(Self.title(hop)): \(median), \(loss)</figcaption>\
            <svg role="img" aria-labelledby="line-\(hop.rawValue)" focusable="false"><g aria-hidden="true">\
            <svg viewBox="0 0 1000 40" height="40" preserveAspectRatio="none"><path class="lost" d="\(lost(points))"/>\
            <path class="trip" d="\(trips(points, top: axis.top))"/></svg></g></svg></figure>
            """
    }

    private static func title(_ hop: HeartbeatHop) -> String {
        switch hop {
        case .router: "Router"
        case .nameServers: "Name servers"
        case .beyond: "Beyond the router"
        }
    }

    /// The statistics of a column, or of a longer period.
    private struct Point {
        /// The bounds in the drawing.
        var left: Double
        var right: Double
        var statistics: HopStatistics
    }

    private func points(_ hop: HeartbeatHop) -> [Point] {
        let length = max(1, end.timeIntervalSince(start))
        let column = max(60, length / Double(Self.columns))
        var columns: [Int: [HopPeriod]] = [:]
        for period in hops where period.hop == hop {
            columns[Int(period.start.timeIntervalSince(start) / column), default: []].append(period)
        }
        return columns.sorted { $0.key < $1.key }.map { index, periods in
            let left = Double(index) * column
            let right = left + max(column, periods.map(\.length).max() ?? 0)
            return Point(
                left: left / length * Self.width, right: min(1, right / length) * Self.width,
                statistics: HopStatistics(merging: periods.map(\.statistics)))
        }
    }

    /// A line through the medians, which breaks where nothing was answered or asked.
    private func trips(_ points: [Point], top: Double) -> String {
        var path = ""
        var last: Point?
        for point in points {
            defer { last = point }
            guard let value = point.statistics.seconds.median else { continue }
            let y = TimelineMarks.tenths(Self.height - value / top * (Self.height - 2))
            let isNext = last.map { $0.statistics.median != nil && point.left - $0.right < $0.right - $0.left } ?? false
            path += "\(isNext ? "L" : "M")\(TimelineMarks.tenths(point.left)) \(y)H\(TimelineMarks.tenths(point.right))"
        }
        return path
    }

    /// Bars from the top, as high as the share that was lost.
    private func lost(_ points: [Point]) -> String {
        points.filter { $0.statistics.lost > 0 }.map { point in
            TimelineMarks.box(point.left, point.right, height: max(3, point.statistics.loss * Self.height))
        }.joined()
    }
}

/// The axis of the round trips: from 0 to a round maximum.
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
