//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the network said about a captive portal when this host joined it (RFC 8910).
///
/// It says so by DHCP (options 114 and 103) or by IPv6 router advertisements (option 37), and systemd-networkd keeps it for
/// each link. Other network managers do not tell: for those the URL can be given to the check.
public enum CaptivePortalDiscovery: Hashable, Sendable {
    /// It said nothing, or nobody on this system remembers.
    case unknown
    /// It said that it has no captive portal.
    case none
    /// It announced an API at this URL (RFC 8908).
    case api(String)

    /// The reserved name by which a network says that it has no captive portal (RFC 8910, section 2).
    public static let unrestricted = "urn:ietf:params:capport:unrestricted"

    /// Reads an announced text.
    ///
    /// Anything but an `https` URL and the reserved name is as good as nothing.
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

    /// What systemd-networkd knows of the links of this system.
    ///
    /// An API on any link counts before a link without a portal; of several, that of the lowest-numbered link.
    ///
    /// - Parameter interface: only the link with this index; nil looks at all.
    public static func current(interface: Int? = nil) -> CaptivePortalDiscovery {
        current(interface: interface, folder: "/run/systemd/netif")
    }

    package static func current(interface: Int?, folder: String) -> CaptivePortalDiscovery {
        let links = interface.map { [$0] } ?? Networkd.links(folder: folder)
        let found = links.map { Networkd.announcement(link: $0, folder: folder) }
        return found.first { $0.api != nil } ?? (found.contains(.none) ? .none : .unknown)
    }
}
