// SPDX-License-Identifier: Apache-2.0

/// The texts that `dialtone history` and the dashboard share: states, causes and the ends of outages.
///
/// They start in lower case, to stand inside a sentence.
package enum HistoryWording {
    /// The name of a state.
    package static func state(_ state: HistoryState) -> String {
        switch state {
        case .online: "online"
        case .limited: "no Internet"
        case .captivePortal: "login required"
        case .offline: "offline"
        case .requiresConnection: "not connected"
        case .unverified: "not verified"
        case .unknown: "unknown"
        case .notWatching: "not watched"
        case .asleep: "asleep or off"
        }
    }

    /// The cause of a state; an unknown code as it is.
    package static func cause(_ cause: HistoryCause) -> String { causes[cause.rawValue] ?? cause.rawValue }

    private static let causes = [
        "noInterface": "no network interface", "allDown": "all interfaces are down", "radioOff": "the radio is off",
        "noCarrier": "no carrier", "dormant": "not authenticated", "noAddress": "no address",
        "addressTentative": "address not yet confirmed", "noRoute": "no default route",
        "routeUnreachable": "blocked by a routing rule", "hijackedNames": "forged DNS answers",
        "tls": "HTTPS intercepted", "unexpectedAnswers": "unexpected answers", "refused": "connections refused",
        "hostNotFound": "names not found", "unreachable": "no route beyond the router", "timedOut": "timed out",
        "nameResolution": "DNS failed", "dnsRefused": "DNS refused", "dnsSilent": "DNS silent",
        "partial": "only HTTP passed, not HTTPS", "passive": "not checked",
        "notVisible": "the network state could not be read",
        "stopped": "server stopped", "crashed": "server crashed or was killed", "started": "just started",
        "clockSet": "clock set", "suspended": "suspended", "off": "off or restarting",
        "discarded": "records dropped", "noRecord": "no record",
    ]

    /// The way in which an outage ended.
    package static func ending(_ ending: Outage.Ending) -> String {
        switch ending {
        case .recovered: "recovered"
        case .undecided: "recovered, not verified"
        case .unwatched: "no longer watched"
        case .windowEnd: "ongoing"
        }
    }
}
