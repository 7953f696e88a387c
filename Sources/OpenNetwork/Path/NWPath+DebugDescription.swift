// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension NWPath: CustomDebugStringConvertible {
    /// The path on one line, in the format that Apple's framework logs.
    ///
    /// The text is for people, not for parsing. Only the preferred interface is named. Two examples:
    ///
    /// - `satisfied (Path is satisfied), interface: wlan0, ipv4, ipv6, dns, uses wifi`
    /// - `unsatisfied (No network route)`
    public var debugDescription: String {
        let path = networkPath
        let attributes: [(isShown: Bool, text: String)] = [
            (!path.interfaces.isEmpty, "interface: \(path.interfaces.first?.name ?? "")"),
            (path.supportsIPv4, "ipv4"),
            (path.supportsIPv6, "ipv6"),
            (path.supportsDNS, "dns"),
            (path.isExpensive, "expensive"),
            (path.isConstrained, "constrained"),
            (path.isUltraConstrained, "ultra constrained"),
            (path.usedInterfaceTypes.contains(.wifi), "uses wifi"),
            (path.usedInterfaceTypes.contains(.cellular), "uses cell"),
            (path.linkQuality != .unknown, "LQM: \(path.linkQuality)"),
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
