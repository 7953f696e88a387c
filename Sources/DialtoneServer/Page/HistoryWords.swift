//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneHistory

/// The states and causes of the history, in words.
enum HistoryWords {
    static func state(_ state: HistoryState) -> String {
        switch state {
        case .online: "Online"
        case .limited: "No Internet"
        case .captivePortal: "Login needed"
        case .offline: "Offline"
        case .requiresConnection: "Not connected"
        case .unverified: "Connected, not checked"
        case .unknown: "Unknown"
        case .notWatching: "Not watched"
        case .asleep: "This machine was off or asleep"
        }
    }

    static func cause(_ cause: HistoryCause) -> String {
        causes[cause.rawValue] ?? cause.rawValue
    }

    private static let causes = [
        "noInterface": "no network interface", "allDown": "every interface switched off",
        "radioOff": "the radio switched off", "noCarrier": "no carrier", "dormant": "a link waiting to be let in",
        "noAddress": "no address", "addressTentative": "an address still being checked", "noRoute": "no route out",
        "routeUnreachable": "the way out forbidden", "hijackedNames": "forged names",
        "tls": "secure connections broken", "unexpectedAnswers": "wrong answers", "refused": "connections refused",
        "unreachable": "nothing beyond the router", "timedOut": "no answers", "nameResolution": "no names resolved",
        "partial": "only HTTP passed", "notVisible": "the network could not be seen",
        "stopped": "the server was stopped",
        "crashed": "the server ended without a word", "started": "just begun", "clockSet": "the clock was set",
        "suspended": "suspended", "off": "switched off or started anew", "discarded": "no room for records",
        "noRecord": "no record", "inconclusive": "no verdict",
    ]

    /// How an outage ended.
    static func ending(_ ending: Outage.Ending) -> String {
        switch ending {
        case .recovered: "came back"
        case .undecided: "came back, not checked"
        case .unwatched: "not watched any more"
        case .windowEnd: "goes on"
        }
    }
}
