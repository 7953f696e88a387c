//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

/// How much of the past is looked at.
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

    /// The words on its link.
    var title: String {
        switch self {
        case .hour: "Hour"
        case .day: "Day"
        case .week: "Week"
        }
    }

    /// A time on the axis.
    func tick(_ date: Date) -> String { LocalTime.text(date, tickStyle) }

    /// How much a time on the axis tells.
    var tickStyle: LocalTime.Style { self == .week ? .date : .minute }
}
