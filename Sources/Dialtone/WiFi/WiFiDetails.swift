//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink
import NetworkState

/// What a Wi-Fi interface has joined, and how well it hears it, at one moment.
///
/// ```swift
/// if let wifi = WiFiDetails(ofInterface: "wlan0") {
///     print("\(wifi.networkName ?? "?") at \(wifi.signal ?? 0) dBm")
/// }
/// ```
///
/// Read from the kernel (nl80211) without sending anything; no privilege is needed. On Apple platforms apps must ask CoreWLAN or
/// NetworkExtension, which need the user's consent: there is no such type there.
public struct WiFiDetails: Hashable, Sendable {
    /// The network's name (SSID) as bytes: any 1 to 32 of them, UTF-8 by custom; nil where the driver does not tell.
    public var ssid: [UInt8]?
    /// The access point's address (BSSID), such as `02:00:00:00:00:00`.
    ///
    /// It changes when the interface roams within the network.
    public var accessPoint: String?
    /// The channel's frequency, in MHz.
    public var frequency: Int?
    /// The strength of the access point's frames, in dBm: -30 is next to it, -90 hardly there.
    public var signal: Int?
    /// The rate of the last frame sent, in Mbit/s.
    public var transmitRate: Double?
    /// The rate of the last frame received, in Mbit/s.
    public var receiveRate: Double?

    /// The network's name as text, with bytes that are not UTF-8 repaired.
    public var networkName: String? { ssid.map { String(decoding: $0, as: UTF8.self) } }

    /// What the signal promises: good from -67 dBm, moderate from -77 dBm, else minimal.
    public var linkQuality: LinkQuality {
        LinkQuality(NetworkState.LinkQuality(signal: signal.map { Int8(clamping: $0) }))
    }

    /// Makes details, for tests and simulations.
    public init(
        ssid: [UInt8]?, accessPoint: String? = nil, frequency: Int? = nil, signal: Int? = nil,
        transmitRate: Double? = nil, receiveRate: Double? = nil
    ) {
        self.ssid = ssid
        self.accessPoint = accessPoint
        self.frequency = frequency
        self.signal = signal
        self.transmitRate = transmitRate
        self.receiveRate = receiveRate
    }

    /// Reads those of an interface of the calling thread's network namespace; nil when it is not Wi-Fi, has joined nothing, or
    /// a sandbox hides it.
    public init?(ofInterface name: String) {
        guard var kernel = try? GenericNetlink(), let interfaces = try? kernel.wifiInterfaces(),
            let interface = interfaces.first(where: { $0.name == name }),
            let station = try? kernel.accessPoint(of: interface.index)
        else { return nil }
        let networks = (try? kernel.wifiNetworks(of: interface.index)) ?? []
        let network = networks.first(where: \.isJoined)
        self.init(
            ssid: interface.ssid.flatMap { $0.isEmpty ? nil : $0 } ?? network?.ssid,
            accessPoint: Self.text(station.hardwareAddress),
            frequency: (interface.frequency ?? network?.frequency).map(Int.init),
            signal: (station.averageSignal ?? station.signal).map(Int.init),
            transmitRate: station.transmitRate.map { Double($0) / 10 },
            receiveRate: station.receiveRate.map { Double($0) / 10 })
    }

    private static func text(_ address: [UInt8]) -> String {
        address.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
}
#endif
