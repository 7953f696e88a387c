// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink

/// Queries nl80211 for the Wi-Fi links and the networks that they have joined.
///
/// Unlike sysfs, nl80211 works in every namespace.
struct WiFiReader: ~Copyable {
    /// A Wi-Fi link.
    struct Entry: Hashable {
        /// The initial name that the kernel gives the radio, such as `phy0`.
        var radio: String?
        /// The network that the link has joined; nil if it has joined none.
        var link: WiFiLink?
    }

    private(set) var entries = LinkTable<Entry>()
    private var socket: GenericNetlink?

    /// Rereads the links and their networks.
    ///
    /// If it cannot (no Wi-Fi in this kernel, no generic netlink in this sandbox), there are no entries.
    ///
    /// - Returns: whether anything has changed.
    mutating func update() -> Bool {
        var found = LinkTable<Entry>()
        for interface in interfaces() where Self.carriesData(interface.type) {
            found[interface.index] = Entry(radio: interface.radio.map { "phy\($0)" }, link: joined(interface))
        }
        defer { entries = found }
        return entries != found
    }

    private mutating func interfaces() -> [WiFiInterface] {
        if socket == nil { socket = try? GenericNetlink() }
        do throws(NetlinkError) {
            return try socket?.wifiInterfaces() ?? []
        } catch {
            socket = nil
            return []
        }
    }

    private mutating func joined(_ interface: WiFiInterface) -> WiFiLink? {
        guard interface.type == .station || interface.type == .directClient, let station = station(interface.index)
        else { return nil }
        let before = entries[interface.index]?.link
        let accessPoint = MACAddress(bytes: station.hardwareAddress)
        var ssid = interface.ssid.flatMap { $0.isEmpty ? nil : $0 }
        // Many drivers report the name only in the scan results, which are long: keep the name for the same access point.
        if ssid == nil, before != nil, before?.accessPoint == accessPoint { ssid = before?.ssid }
        return WiFiLink(
            ssid: ssid ?? scannedName(interface.index, station), accessPoint: accessPoint,
            quality: LinkQuality(
                signal: station.averageSignal ?? station.signal, previous: before?.quality ?? .unknown))
    }

    private mutating func station(_ index: Int32) -> WiFiStation? {
        do throws(NetlinkError) { return try socket?.accessPoint(of: index) ?? nil } catch { return nil }
    }

    private mutating func scannedName(_ index: Int32, _ station: WiFiStation) -> [UInt8]? {
        do throws(NetlinkError) {
            // Match the association mark, not only the address: the results may still hold its old name.
            return try socket?.wifiNetworks(of: index).first {
                $0.isJoined && $0.hardwareAddress == station.hardwareAddress
            }?.ssid
        } catch {
            return nil
        }
    }

    /// Whether links of this type carry this host's traffic.
    ///
    /// A monitor only receives other stations' frames.
    private static func carriesData(_ type: WiFiInterfaceType) -> Bool { type != .monitor }
}

/// Reads the endpoints of WireGuard's peers: generic netlink `wireguard`, which only the administrator may read.
///
/// Use it from one thread only.
final class WireGuardReader {
    private var socket: GenericNetlink?
    /// Whether the kernel has refused access; later attempts would be refused too.
    private var isRefused = false

    /// Returns a link's peers; nil if they cannot be read.
    func device(_ index: Int32) -> WireGuardDevice? {
        guard !isRefused else { return nil }
        if socket == nil { socket = try? GenericNetlink() }
        do throws(NetlinkError) {
            return try socket?.wireGuardDevice(index) ?? nil
        } catch {
            isRefused = error.errno == .notPermitted || error.errno == .permissionDenied
            socket = nil
            return nil
        }
    }
}
#endif
