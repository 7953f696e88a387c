// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// Describes a path in text.
enum PathDescription {
    /// One or two sentences: the state with the link, and the reason if it is not online.
    static func headline(_ connectivity: Connectivity) -> String {
        let way = connectivity.path.way(connectivity.evidence)
        let name = connectivity.state.name.sentenceCased + (way.map { " \($0)" } ?? "") + "."
        return Printable.text(([name] + sentences(connectivity)).joined(separator: " "))
    }

    /// The reason why this machine is not online, or what works badly although it is.
    static func sentences(_ connectivity: Connectivity) -> [String] {
        connectivity.reason.map { [$0] }
            ?? connectivity.remarks.filter { $0.kind != .dissent }.map(\.description)
    }

    /// The headline of a monitor's value and the properties of the path, on one line.
    static func line(_ headline: String, _ connectivity: Connectivity, isPassive: Bool) -> String {
        let path = connectivity.path
        guard path.status == .satisfied, !path.isUnknown else { return headline }
        let isOneSentence = sentences(connectivity).isEmpty || connectivity.state == .unverified && isPassive
        return isOneSentence
            ? ([headline.withoutFullStop] + Wording.properties(path)).joined(separator: ", ")
            : headline + " (" + Wording.properties(path).joined(separator: ", ") + ")"
    }

    /// The changed fields, as text.
    static func changes(_ names: [String]) -> String { names.map(word).uniqued.joined(separator: ", ") }

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
