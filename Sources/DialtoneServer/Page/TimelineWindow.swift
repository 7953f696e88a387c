// SPDX-License-Identifier: Apache-2.0

import DialtonePresentation
import DialtoneSupport

/// The time window of the history to show.
enum TimelineWindow: String, CaseIterable, Sendable {
    case hour, day, week

    /// Its length in seconds.
    var seconds: Double {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .week: 7 * 86_400
        }
    }

    /// The text of its link.
    var title: String {
        switch self {
        case .hour: "Hour"
        case .day: "Day"
        case .week: "Week"
        }
    }

    /// Formats a time on the axis.
    func tick(_ date: Date) -> String { LocalTime.text(date, tickStyle) }

    /// The style of times on the axis.
    var tickStyle: LocalTime.Style { self == .week ? .date : .minute }
}
