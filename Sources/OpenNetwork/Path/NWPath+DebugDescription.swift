//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

extension NWPath: CustomDebugStringConvertible {
    /// The path on one line, in the form Apple's framework logs.
    ///
    /// It is for people, not for parsing. For example `satisfied (Path is satisfied), interface: wlan0, ipv4, ipv6, dns, uses wifi`, or
    /// `unsatisfied (No network route)`. Only the preferred interface is named.
    public var debugDescription: String {
        let facts = contents
        let attributes: [(isShown: Bool, text: String)] = [
            (!facts.availableInterfaces.isEmpty, "interface: \(facts.availableInterfaces.first?.name ?? "")"),
            (facts.supportsIPv4, "ipv4"),
            (facts.supportsIPv6, "ipv6"),
            (facts.supportsDNS, "dns"),
            (facts.isExpensive, "expensive"),
            (facts.isConstrained, "constrained"),
            (facts.isUltraConstrained, "ultra constrained"),
            (facts.usedInterfaceTypes.contains(.wifi), "uses wifi"),
            (facts.usedInterfaceTypes.contains(.cellular), "uses cell"),
            (facts.linkQuality != .unknown, "LQM: \(facts.linkQuality)"),
        ]
        return attributes.lazy.filter(\.isShown).reduce(verdict) { $0 + ", " + $1.text }
    }

    private var verdict: String {
        switch status {
        case .satisfied: "satisfied (Path is satisfied)"
        case .requiresConnection: "satisfiable (Path is satisfiable)"
        case .unsatisfied: "unsatisfied (\(unsatisfiedReason.explanation))"
        }
    }
}

extension NWPath.UnsatisfiedReason {
    fileprivate var explanation: String {
        switch self {
        case .notAvailable: "No network route"
        case .cellularDenied: "Denied over cellular interface"
        case .wifiDenied: "Denied over Wi-Fi interface"
        case .localNetworkDenied: "Local network prohibited"
        case .vpnInactive: "Required VPN is inactive"
        }
    }
}

#endif
