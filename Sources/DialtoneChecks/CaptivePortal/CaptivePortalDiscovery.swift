// SPDX-License-Identifier: Apache-2.0

internal import DialtoneSupport

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

#if !canImport(Darwin)
import NetworkState
#endif

/// The state files of systemd-networkd: `KEY=VALUE` lines, of which `CAPTIVE_PORTAL` is read.
enum Networkd {
    /// The indexes of the links that have files.
    static func links(folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/links")) ?? []
        return names.compactMap { Int($0) }.sorted()
    }

    /// The announcement on a link: from the link's own file, which covers DHCPv4, DHCPv6 and router advertisements, or from
    /// its DHCPv4 lease.
    static func announcement(link: Int, folder: String) -> CaptivePortalDiscovery {
        for kind in ["links", "leases"] {
            guard let text = text("\(folder)/\(kind)/\(link)"), let value = captivePortal(in: text) else {
                continue
            }
            let announcement = CaptivePortalDiscovery(announced: value)
            if announcement != .unknown { return announcement }
        }
        return .unknown
    }

    /// The value of the key in a file's text, without quotes around it and backslashes in it.
    static func captivePortal(in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "CAPTIVE_PORTAL" else { continue }
            var value = parts[1]
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            return String(value.replacing("\\", with: ""))
        }
        return nil
    }

    private static func text(_ path: String) -> String? {
        #if canImport(Darwin)
        nil
        #else
        SystemFile.text(path, limit: 64 * 1024)
        #endif
    }
}
