// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

#if !canImport(Darwin)
import LibC
import NetworkState
#endif

/// The captive portal that the network announced when this host joined it (RFC 8910).
///
/// Networks announce it by DHCP (options 114 and 103) or IPv6 router advertisements (option 37). It is taken from:
/// - systemd-networkd, which keeps it for each link, from all three sources;
/// - dhclient's leases, whose files usually only root can read: option 114;
/// - NetworkManager, over the system bus: option 114, which NetworkManager keeps only if it uses dhclient.
///
/// A lease counts while it is unexpired and its address is assigned to the link. Otherwise the URL can be set in the check's
/// configuration.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
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

    /// The announcement on the links of this system.
    ///
    /// An API on any link takes precedence over a link without a portal; of several, the lowest-numbered link's is used. It
    /// reads files, and blocks for 0.3 seconds at most if NetworkManager does not answer.
    ///
    /// - Parameter interface: the index of the only link to consider; nil considers all.
    public static func current(interface: Int? = nil) -> CaptivePortalDiscovery {
        #if canImport(Darwin)
        return .unknown
        #else
        return AnnouncementSources().announcement(on: interface)
        #endif
    }
}

#if !canImport(Darwin)
/// The files and services that keep announcements.
struct AnnouncementSources {
    /// The folder in place of `/`.
    var root = ""
    /// The current time, in seconds since 1970.
    var time = TimeSource.system.moment.realtime.timeIntervalSince1970
    /// The IPv4 addresses of this machine's links.
    var addresses: () -> [LinkAddress] = LinkAddress.current
    /// The options of NetworkManager's leases.
    var managedLeases: () -> [[String: String]] = { NetworkManagerLeases.current(within: 0.3) }

    /// The announcement on a link, or on any; the sources that cost more are read only if the others have none.
    func announcement(on link: Int?) -> CaptivePortalDiscovery {
        let networkd = Networkd(folder: root + "/run/systemd/netif")
        var found = (link.map { [$0] } ?? networkd.links).map { networkd.announcement(link: $0) }
        for source in [dhclientLeases, managerLeases] where !found.contains(where: { $0 != .unknown }) {
            let leases = source()
            guard !leases.isEmpty else { continue }
            found = addresses().filter { link == nil || link == $0.index }.sorted { $0.index < $1.index }
                .map { announcement(in: leases, on: $0) }
        }
        return found.first { $0.api != nil } ?? (found.contains(.none) ? .none : .unknown)
    }

    /// The announcement of the newest lease in force; a renewed lease replaces the previous ones, even if it announces less.
    private func announcement(in leases: [DHCPLease], on link: LinkAddress) -> CaptivePortalDiscovery {
        let newest = leases.filter { $0.isInForce(on: link, at: time) }.max { $0.expiry < $1.expiry }
        return newest?.captivePortal.map { CaptivePortalDiscovery(announced: $0) } ?? .unknown
    }

    private func managerLeases() -> [DHCPLease] { managedLeases().compactMap { DHCPLease(networkManager: $0) } }

    /// The folders where Debian, Fedora and NetworkManager let dhclient write its files.
    private static let leaseFolders = ["/var/lib/dhcp", "/var/lib/dhclient", "/var/lib/NetworkManager"]
    /// The most files that are read; NetworkManager keeps one for each network.
    private static let mostFiles = 256

    /// The newest lease of each link in each of dhclient's files.
    private func dhclientLeases() -> [DHCPLease] {
        let paths = Self.leaseFolders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
                .filter { $0.hasPrefix("dhclient") && ($0.hasSuffix(".lease") || $0.hasSuffix(".leases")) }
                .map { "\(root)\(folder)/\($0)" }
        }
        return paths.prefix(Self.mostFiles).flatMap { path in
            let leases = StateFile.text(path).map { DHCPLease.dhclient($0) } ?? []
            // In a file the order counts, not the end: a server may shorten a lease.
            return Dictionary(leases.map { ($0.interface, $0) }) { _, newer in newer }.values
        }
    }
}

extension LinkAddress {
    /// The IPv4 addresses of this machine's links.
    static func current() -> [LinkAddress] {
        Sockets.interfaceAddresses(.ipv4).map {
            LinkAddress(
                interface: $0.interface, index: Int(InterfaceNames.index(of: $0.interface) ?? 0), address: $0.address)
        }
    }
}

/// The state files of systemd-networkd: `KEY=VALUE` lines, of which `CAPTIVE_PORTAL` is read.
struct Networkd {
    /// The folder of the files: `/run/systemd/netif`.
    let folder: String

    /// The indexes of the links that have files.
    var links: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/links")) ?? []
        return names.compactMap { Int($0) }.sorted()
    }

    /// The announcement on a link: from the link's own file, which covers DHCPv4, DHCPv6 and router advertisements, or from
    /// its DHCPv4 lease.
    func announcement(link: Int) -> CaptivePortalDiscovery {
        for kind in ["links", "leases"] {
            guard let text = StateFile.text("\(folder)/\(kind)/\(link)"), let value = Self.captivePortal(in: text)
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

/// A file of another program.
private enum StateFile {
    private static let mostBytes = 256 * 1024

    /// The text; nil if it cannot be read, or is too long: the end of a file of leases matters most.
    static func text(_ path: String) -> String? {
        SystemFile.text(path, limit: mostBytes + 1).flatMap { $0.utf8.count > mostBytes ? nil : $0 }
    }
}
#endif
