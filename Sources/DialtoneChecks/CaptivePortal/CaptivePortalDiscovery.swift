// SPDX-License-Identifier: Apache-2.0

/// The captive portal that the network announced when this host joined it (RFC 8910).
///
/// Networks announce it by DHCP (options 114 and 103) or IPv6 router advertisements (option 37); systemd-networkd keeps it for
/// each link. Other network managers do not expose it: there the URL can be set in the check's configuration.
public enum CaptivePortalDiscovery: Hashable, Sendable {
    /// Nothing was announced, or no service on this system keeps it.
    case unknown
    /// The network announced that it has no captive portal.
    case none
    /// The network announced an API at this URL (RFC 8908).
    case api(String)

    /// The reserved name for a network without a captive portal (RFC 8910, section 2).
    public static let unrestricted = "urn:ietf:params:capport:unrestricted"

    /// Reads an announced text.
    ///
    /// Any text but an `https` URL and the reserved name is ignored.
    public init(announced text: String) {
        if text.lowercased() == Self.unrestricted {
            self = .none
        } else if let target = try? ProbeTarget(text), target.isSecure {
            self = .api(text)
        } else {
            self = .unknown
        }
    }

    /// The API's URL, if one was announced.
    public var api: String? {
        if case .api(let url) = self { url } else { nil }
    }

    /// The announcement that systemd-networkd keeps for the links of this system.
    ///
    /// An API on any link takes precedence over a link without a portal; of several, the lowest-numbered link's is used.
    ///
    /// - Parameter interface: the index of the only link to consider; nil considers all.
    public static func current(interface: Int? = nil) -> CaptivePortalDiscovery {
        current(interface: interface, folder: "/run/systemd/netif")
    }

    package static func current(interface: Int?, folder: String) -> CaptivePortalDiscovery {
        let links = interface.map { [$0] } ?? Networkd.links(folder: folder)
        let found = links.map { Networkd.announcement(link: $0, folder: folder) }
        return found.first { $0.api != nil } ?? (found.contains(.none) ? .none : .unknown)
    }
}
