// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// The captive portal that the network announced when this host joined it (RFC 8910).
///
/// Networks announce it by DHCP (options 114 and 103) or IPv6 router advertisements (option 37). systemd-networkd keeps it for each
/// link, from all three sources. Where another program configures the links, the URL can be set in the check's configuration.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CaptivePortalDiscovery: Hashable, Sendable {
    /// Nothing was announced, or systemd-networkd does not keep it.
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
    public var api: String? { if case .api(let url) = self { url } else { nil } }

    /// The announcement on the links of this system.
    ///
    /// An API on any link takes precedence over a link without a portal; of several, the lowest-numbered link's is used.
    ///
    /// - Parameter interface: the index of the only link to consider; nil considers all.
    public static func current(interface: Int? = nil) -> CaptivePortalDiscovery {
        #if canImport(Darwin)
        return .unknown
        #else
        return Networkd().announcement(on: interface)
        #endif
    }
}

#if !canImport(Darwin)
/// The state files of systemd-networkd: `KEY=VALUE` lines, of which `CAPTIVE_PORTAL` is read.
struct Networkd {
    /// The folder of the files, whose names are the indexes of their links.
    var folder = "/run/systemd/netif"

    /// The announcement on a link, or on any.
    func announcement(on link: Int?) -> CaptivePortalDiscovery {
        let found = (link.map { [$0] } ?? links).map { announcement(link: $0) }
        return found.first { $0.api != nil } ?? (found.contains(.none) ? .none : .unknown)
    }

    /// The indexes of the links that have files.
    private var links: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/links")) ?? []
        return names.compactMap { Int($0) }.sorted()
    }

    /// The announcement on a link: from the link's own file, which covers DHCPv4, DHCPv6 and router advertisements, or from
    /// its DHCPv4 lease.
    private func announcement(link: Int) -> CaptivePortalDiscovery {
        for kind in ["links", "leases"] {
            guard let text = SystemFile.text("\(folder)/\(kind)/\(link)", limit: 256 * 1024),
                let value = Self.captivePortal(in: text)
            else { continue }
            let announcement = CaptivePortalDiscovery(announced: value)
            if announcement != .unknown { return announcement }
        }
        return .unknown
    }

    /// The value of the key in a file's text, without quotes around it and backslashes in it.
    static func captivePortal(in text: String) -> String? {
        let key = "CAPTIVE_PORTAL="
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(key) }
        guard var value = line?.dropFirst(key.count) else { return nil }
        if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return String(value.replacing("\\", with: ""))
    }
}
#endif
