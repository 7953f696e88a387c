//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// The texts of the page, in words that users understand.
enum Words {
    /// The verdict, in one or two words.
    static func verdict(_ state: ConnectivityState) -> String {
        switch state {
        case .online: "Online"
        case .offline: "Offline"
        case .requiresConnection: "Not connected"
        case .unverified: "Connected"
        case .captivePortal: "Login required"
        case .limited: "No Internet"
        case .unknown: "Unknown"
        }
    }

    /// The link, such as `wlan0, Wi-Fi “Home”`; nil without a path.
    static func link(_ path: NetworkPath) -> String? {
        guard path.status == .satisfied, let interface = path.interfaces.first else { return nil }
        let name = interface.networkName.map { " “\($0)”" } ?? ""
        return "\(kind(interface.type))\(name) (\(interface.name))"
    }

    /// The reason for being offline or unknown; nil if there is nothing to explain.
    static func reason(_ connectivity: Connectivity) -> String? {
        let path = connectivity.path
        switch connectivity.state {
        case .online: return nil
        case .unknown: return path.limitation?.explanation ?? "The network state cannot be read."
        case .offline: return path.diagnosis?.description ?? "There is no path."
        case .requiresConnection: return path.diagnosis?.description ?? "A connection is available on demand."
        case .unverified:
            return connectivity.evidence == nil
                ? "The Internet has not been checked yet."
                : "Whether this is the Internet could not be determined."
        case .captivePortal: return "The network requires a login: open its page in a browser."
        case .limited:
            guard let verdict = connectivity.evidence?.verdict else { return "The Internet cannot be reached." }
            return verdict == .partial
                ? "HTTP works, but HTTPS is blocked: something is intercepting the connection."
                : verdict.reason.map(explanation) ?? "The Internet cannot be reached."
        }
    }

    /// The reason why the Internet did not answer.
    static func explanation(_ reason: InternetCheck.NoInternetReason) -> String {
        reason.description
    }

    /// The verdict of a check, in a few words.
    static func verdict(_ verdict: InternetCheck.Verdict) -> String {
        switch verdict {
        case .verified: "The Internet answers"
        case .partial: "Only HTTP works"
        case .captivePortal: "A login page answers"
        case .noInternet: "The Internet does not answer"
        case .inconclusive: "Unknown"
        }
    }

    /// The status of a path.
    static func status(_ path: NetworkPath) -> String {
        if path.isUnknown { return "Unknown" }
        switch path.status {
        case .satisfied: return "Connected"
        case .requiresConnection: return "Available on demand"
        default: return "Not connected"
        }
    }

    /// The type of a link.
    static func kind(_ type: NWInterface.InterfaceType) -> String {
        switch type {
        case .wifi: "Wi-Fi"
        case .cellular: "Mobile network"
        case .wiredEthernet: "Ethernet"
        case .loopback: "This machine"
        default: "Tunnel or other"
        }
    }

    /// The capabilities and costs of a path.
    static func facts(_ path: NetworkPath) -> [String] {
        guard path.status == .satisfied else { return [] }
        let facts = [
            (path.supportsIPv4, "IPv4"), (path.supportsIPv6, "IPv6"), (path.supportsDNS, "name server"),
            (!path.supportsDNS, "no name server"), (path.isExpensive, "costs by volume"),
            (path.isConstrained, "saves data"),
        ]
        return facts.filter(\.0).map(\.1)
    }

    /// A duration, such as `3 h 12 min`.
    static func length(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "0 s" }
        let total = Int(min(seconds, 1e12).rounded())
        switch total {
        case ..<1: return seconds > 0 ? "under 1 s" : "0 s"
        case ..<60: return "\(total) s"
        case ..<3600: return joined(total / 60, "min", total % 60, "s")
        case ..<86_400: return joined(total / 3600, "h", total / 60 % 60, "min")
        default: return joined(total / 86_400, "d", total / 3600 % 24, "h")
        }
    }

    private static func joined(_ great: Int, _ greatUnit: String, _ small: Int, _ smallUnit: String) -> String {
        small == 0 ? "\(great) \(greatUnit)" : "\(great) \(greatUnit) \(small) \(smallUnit)"
    }

    /// A fraction as a percentage, never rounded up to 100 %: `99.98 %`.
    static func share(_ value: Double) -> String {
        guard value.isFinite, value > 0 else { return "0 %" }
        guard value < 1 else { return "100 %" }
        let hundredths = Int((value * 10_000).rounded(.down))
        let (whole, part) = (hundredths / 100, hundredths % 100)
        return part == 0 ? "\(whole) %" : "\(whole).\(part < 10 ? "0" : "")\(part) %"
    }

    /// A latency, such as `23 ms`.
    static func milliseconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "0 ms" }
        let value = seconds * 1000
        return value < 10 ? "\(Double(Int(value * 10)) / 10) ms" : "\(Int(min(value, 1e9))) ms"
    }
}
