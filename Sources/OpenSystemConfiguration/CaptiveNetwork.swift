// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Foundation
import NetworkModel
import NetworkState

// Apple declares these in the submodule SystemConfiguration.CaptiveNetwork, which a module alias cannot provide: source
// that imports the submodule must import SystemConfiguration.

/// Core Foundation's array type: here Foundation's.
public typealias CFArray = NSArray
/// Core Foundation's dictionary type: here Foundation's.
public typealias CFDictionary = NSDictionary

/// The key of the access point's address (BSSID), a string.
public var kCNNetworkInfoKeyBSSID: CFString { "BSSID" }
/// The key of the network's name (SSID), a string.
public var kCNNetworkInfoKeySSID: CFString { "SSID" }
/// The key of the network's name as bytes.
public var kCNNetworkInfoKeySSIDData: CFString { "SSIDDATA" }

/// Returns the names of the Wi-Fi interfaces; nil if there are none.
///
/// They are those of the calling thread's network namespace. Source: Apple's documentation of
/// `CNCopySupportedInterfaces()`.
public func CNCopySupportedInterfaces() -> CFArray? {
    let names = KernelSource.currentSnapshot().interfaces.filter { $0.type == .wifi }.map(\.name)
    return names.isEmpty ? nil : NSArray(array: names)
}

/// Returns the name of the network that a Wi-Fi interface is connected to, and the access point's address; nil if it is
/// not connected, or not a Wi-Fi interface.
///
/// No permission is needed. Source: Apple's documentation of `CNCopyCurrentNetworkInfo(_:)`.
public func CNCopyCurrentNetworkInfo(_ interfaceName: CFString) -> CFDictionary? {
    let name = "\(interfaceName)"
    let interface = KernelSource.currentSnapshot().interfaces.first { $0.name == name }
    return interface?.wifi.flatMap(networkInfo)
}

func networkInfo(_ link: WiFiLink) -> CFDictionary? {
    guard let ssid = link.ssid, let name = link.networkName else { return nil }
    var info: [String: Any] = ["\(kCNNetworkInfoKeySSID)": name, "\(kCNNetworkInfoKeySSIDData)": Data(ssid)]
    if let accessPoint = link.accessPoint { info["\(kCNNetworkInfoKeyBSSID)"] = "\(accessPoint)" }
    return info as NSDictionary
}

#endif
