//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneHistory

/// Describes the states and causes of the history.
enum HistoryWords {
    static func state(_ state: HistoryState) -> String {
        switch state {
        case .online: "Online"
        case .limited: "No Internet"
        case .captivePortal: "Login required"
        case .offline: "Offline"
        case .requiresConnection: "Not connected"
        case .unverified: "Connected, not verified"
        case .unknown: "Unknown"
        case .notWatching: "Not watched"
        case .asleep: "Asleep or off"
        }
    }

    static func cause(_ cause: HistoryCause) -> String {
        causes[cause.rawValue] ?? cause.rawValue
    }

    private static let causes = [
        "noInterface": "no network interface", "allDown": "all interfaces are down",
        "radioOff": "the radio is off", "noCarrier": "no carrier", "dormant": "not authenticated",
        "noAddress": "no address", "addressTentative": "address not yet confirmed", "noRoute": "no default route",
        "routeUnreachable": "blocked by a routing rule", "hijackedNames": "forged DNS answers",
        "tls": "HTTPS intercepted", "unexpectedAnswers": "unexpected answers", "refused": "connections refused",
        "unreachable": "no route beyond the router", "timedOut": "timed out", "nameResolution": "DNS failed",
        "partial": "only HTTP works", "notVisible": "the network state could not be read",
        "stopped": "server stopped",
        "crashed": "server crashed or was killed", "started": "just started", "clockSet": "clock set",
        "suspended": "suspended", "off": "off or restarting", "discarded": "records dropped",
        "noRecord": "no record", "inconclusive": "inconclusive",
    ]

    /// How an outage ended.
    static func ending(_ ending: Outage.Ending) -> String {
        switch ending {
        case .recovered: "recovered"
        case .undecided: "recovered, not verified"
        case .unwatched: "no longer watched"
        case .windowEnd: "ongoing"
        }
    }
}
