//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// Describes a path in text.
enum PlainWords {
    /// One or two sentences: the verdict, and the reason if it is not online.
    static func headline(_ state: ConnectivityState, _ path: NetworkPath) -> String {
        switch state {
        case .unknown: path.limitation?.explanation ?? "The network state cannot be read."
        case .offline: "Offline. " + (path.diagnosis.map { Printable.text($0.description) } ?? "There is no path.")
        case .requiresConnection:
            "Not connected yet. "
                + (path.diagnosis.map { Printable.text($0.description) } ?? "A connection is available on demand.")
        case .unverified: "Connected over \(links(path))."
        case .captivePortal: "Connected over \(links(path)), but the network requires a login."
        case .limited: "Connected over \(links(path)), but the Internet cannot be reached."
        case .online: "Online over \(links(path))."
        }
    }

    /// The headline and the properties of the path, on one line.
    static func line(_ headline: String, _ path: NetworkPath) -> String {
        guard path.status == .satisfied, !path.isUnknown else { return headline }
        let isOneSentence = headline.dropLast().firstIndex(of: ".") == nil && headline.hasSuffix(".")
        return isOneSentence
            ? ([headline.dropLast().description] + facts(path)).joined(separator: ", ")
            : headline + " (" + facts(path).joined(separator: ", ") + ")"
    }

    /// The families that the path carries, and its cost.
    static func facts(_ path: NetworkPath) -> [String] {
        let facts = [
            (path.supportsIPv4, "IPv4"), (path.supportsIPv6, "IPv6"), (path.supportsDNS, "DNS"),
            (!path.supportsDNS, "no DNS server"), (path.isExpensive, "expensive"), (path.isConstrained, "constrained"),
        ]
        return facts.filter(\.0).map(\.1)
    }

    /// The links in use, such as `wlan0 (Wi-Fi)`.
    static func links(_ path: NetworkPath) -> String {
        path.interfaces.first.map { "\(Printable.text($0.name)) (\(kind($0.type)))" } ?? "an unknown link"
    }

    /// The name of an interface type.
    static func kind(_ type: NWInterface.InterfaceType) -> String {
        switch type {
        case .wifi: "Wi-Fi"
        case .cellular: "cellular"
        case .wiredEthernet: "wired Ethernet"
        case .loopback: "this machine itself"
        default: "tunnel or other"
        }
    }

    /// The changed fields, as text.
    static func changes(_ names: [String]) -> String {
        var words: [String] = []
        for name in names where !words.contains(word(name)) { words.append(word(name)) }
        return words.joined(separator: ", ")
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
