// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneCommandLine
import DialtonePresentation
import DialtoneSupport

/// Describes a path in text.
enum PathDescription {
    /// One or two sentences: the verdict, and the reason if it is not online.
    static func headline(_ state: ConnectivityState, _ path: NetworkPath) -> String {
        switch state {
        case .unknown: Wording.reason(path)
        case .offline: "Offline. " + Printable.text(Wording.reason(path))
        case .requiresConnection: "Not connected yet. " + Printable.text(Wording.reason(path))
        case .unverified: "Connected over \(Printable.text(Wording.link(path)))."
        case .captivePortal: "Connected over \(Printable.text(Wording.link(path))), but the network requires a login."
        case .limited: "Connected over \(Printable.text(Wording.link(path))), but the Internet cannot be reached."
        case .online: "Online over \(Printable.text(Wording.link(path)))."
        }
    }

    /// The headline and the properties of the path, on one line.
    static func line(_ headline: String, _ path: NetworkPath) -> String {
        guard path.status == .satisfied, !path.isUnknown else { return headline }
        let isOneSentence = headline.dropLast().firstIndex(of: ".") == nil && headline.hasSuffix(".")
        return isOneSentence
            ? ([headline.dropLast().description] + Wording.properties(path)).joined(separator: ", ")
            : headline + " (" + Wording.properties(path).joined(separator: ", ") + ")"
    }

    /// The changed fields, as text.
    static func changes(_ names: [String]) -> String {
        names.map(word).uniqued.joined(separator: ", ")
    }

    private static func word(_ name: String) -> String {
        switch name {
        case "connectivity": "state"
        case "status", "reason", "unsatisfiedReason", "limitation": "path"
        case "linkQuality": "link quality"
        case "isUltraConstrained": "data mode"
        case "supportsIPv4": "IPv4"
        case "supportsIPv6": "IPv6"
        case "supportsDNS": "DNS"
        case "isExpensive": "cost"
        case "isConstrained": "data mode"
        case "internet": "Internet"
        default: name
        }
    }
}
