//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Asks nl80211 which links are Wi-Fi, and what they have joined.
///
/// It works in every namespace, unlike sysfs.
struct WiFiReader: ~Copyable {
    /// A Wi-Fi link.
    struct Entry: Hashable {
        /// The name that the kernel gives its radio at first, such as `phy0`.
        var radio: String?
        /// Nil while it has joined nothing.
        var link: WiFiLink?
    }

    private(set) var entries: [Int32: Entry] = [:]
    private var socket: GenericNetlink?

    /// Reads anew.
    ///
    /// Where it cannot (no Wi-Fi in this kernel, no generic netlink in this sandbox) there are no entries.
    ///
    /// - Returns: whether anything has changed.
    mutating func update() -> Bool {
        var found: [Int32: Entry] = [:]
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
        var ssid = interface.ssid.flatMap { $0.isEmpty ? nil : $0 }
        // Many drivers leave the name to the results of the scan, which are long: an access point's name stays.
        if ssid == nil, before?.accessPoint == station.hardwareAddress { ssid = before?.ssid }
        return WiFiLink(
            ssid: ssid ?? scannedName(interface.index, station), accessPoint: station.hardwareAddress,
            quality: LinkQuality(
                signal: station.averageSignal ?? station.signal, previous: before?.quality ?? .unknown))
    }

    private mutating func station(_ index: Int32) -> WiFiStation? {
        do throws(NetlinkError) { return try socket?.accessPoint(of: index) ?? nil } catch { return nil }
    }

    private mutating func scannedName(_ index: Int32, _ station: WiFiStation) -> [UInt8]? {
        do throws(NetlinkError) {
            // By the mark, not by the address alone: the results may still hold what the access point was called before.
            return try socket?.wifiNetworks(of: index).first {
                $0.isJoined && $0.hardwareAddress == station.hardwareAddress
            }?.ssid
        } catch {
            return nil
        }
    }

    /// A monitor hears other people's frames; it carries none of ours.
    private static func carriesData(_ type: WiFiInterfaceType) -> Bool { type != .monitor }
}
#endif
