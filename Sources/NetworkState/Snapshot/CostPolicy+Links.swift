// SPDX-License-Identifier: Apache-2.0

extension CostPolicy {
    /// Returns whether traffic over a link is charged by volume.
    func isExpensive(_ link: NetworkInterface) -> Bool {
        let configured = isEmpty ? nil : cost(\.isExpensive, link)
        return configured ?? link.metered.isMetered ?? (link.type == .cellular)
    }

    /// Returns whether a link should be used sparingly; this includes ultra-constrained links.
    func isConstrained(_ link: NetworkInterface) -> Bool {
        let configured = isEmpty ? nil : cost(\.isConstrained, link)
        return configured ?? isUltraConstrained(link)
    }

    /// Returns whether a link should carry hardly any data.
    func isUltraConstrained(_ link: NetworkInterface) -> Bool {
        isEmpty ? false : cost(\.isUltraConstrained, link) ?? false
    }

    private func cost(_ property: KeyPath<LinkCosts, Bool?>, _ link: NetworkInterface) -> Bool? {
        cost(property, ofInterface: link.name, wifiNetwork: link.wifi?.networkName, type: link.type)
    }
}

/// Whether traffic over a link is charged by volume, as NetworkManager reports or guesses (D-Bus type `NMMetered`).
public enum Metered: UInt32, Hashable, Sendable {
    /// NetworkManager does not know.
    case unknown = 0
    /// Configured as metered.
    case yes
    /// Configured as not metered.
    case no
    /// Probably metered: a modem, or a phone that announces it by DHCP (option 43, `ANDROID_METERED`).
    case guessYes
    /// Probably not metered.
    case guessNo

    /// Whether the link is metered; nil if unknown.
    ///
    /// A guess counts as an answer, because there is nothing better.
    public var isMetered: Bool? {
        switch self {
        case .unknown: nil
        case .yes, .guessYes: true
        case .no, .guessNo: false
        }
    }
}
