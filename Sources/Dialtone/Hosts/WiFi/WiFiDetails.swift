// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import NetworkState

/// The access point that a Wi-Fi interface is connected to, and the quality of the link, at one moment.
///
/// ```swift
/// if let wifi = WiFiDetails(ofInterface: "wlan0") {
///     print("\(wifi.networkName ?? "?") at \(wifi.signal ?? 0) dBm")
/// }
/// ```
///
/// The details are read from the kernel (nl80211). Reading them sends nothing and needs no privileges. This type does
/// not exist on Apple platforms, where apps must use CoreWLAN or NetworkExtension, which need the user's consent.
public struct WiFiDetails: Hashable, Sendable {
    /// The network's name (SSID) as 1 to 32 arbitrary bytes, UTF-8 by convention; nil if the driver does not report it.
    public var ssid: [UInt8]?
    /// The access point's address (BSSID), such as `02:00:00:00:00:00`.
    ///
    /// It changes when the interface roams within the network.
    public var accessPoint: String?
    /// The channel's frequency, in MHz.
    public var frequency: Int?
    /// The strength of the access point's signal, in dBm: about -30 next to it, about -90 at the edge of reception.
    public var signal: Int?
    /// The rate of the last frame sent, in Mbit/s.
    public var transmitRate: Double?
    /// The rate of the last frame received, in Mbit/s.
    public var receiveRate: Double?

    /// The network's name as text; invalid UTF-8 is replaced.
    public var networkName: String? { ssid.map { String(decoding: $0, as: UTF8.self) } }

    /// The expected quality of a link with this signal: good from -67 dBm, moderate from -77 dBm, otherwise minimal.
    public var linkQuality: NetworkPath.LinkQuality { LinkQuality(signal: signal.map { Int8(clamping: $0) }) }

    /// Creates details, for tests and simulations.
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

    /// Reads the details of an interface in the calling thread's network namespace.
    ///
    /// The result is nil if the interface is not Wi-Fi, is not connected, or a sandbox hides it.
    public init?(ofInterface name: String) {
        guard var kernel = try? GenericNetlink(), let interfaces = try? kernel.wifiInterfaces(),
            let interface = interfaces.first(where: { $0.name == name }),
            let station = try? kernel.accessPoint(of: interface.index)
        else { return nil }
        let networks = (try? kernel.wifiNetworks(of: interface.index)) ?? []
        let network = networks.first(where: \.isJoined)
        self.init(
            ssid: interface.ssid.flatMap { $0.isEmpty ? nil : $0 } ?? network?.ssid,
            accessPoint: MACAddress(bytes: station.hardwareAddress)?.description,
            frequency: (interface.frequency ?? network?.frequency).map(Int.init),
            signal: (station.averageSignal ?? station.signal).map(Int.init),
            transmitRate: station.transmitRate.map { Double($0) / 10 },
            receiveRate: station.receiveRate.map { Double($0) / 10 })
    }
}
#endif
