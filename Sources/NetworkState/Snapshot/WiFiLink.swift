// SPDX-License-Identifier: Apache-2.0

/// The network that a Wi-Fi link has joined.
public struct WiFiLink: Hashable, Sendable {
    /// The network's name as 1 to 32 bytes, by convention UTF-8; nil where the system does not report it.
    public var ssid: [UInt8]?
    /// The link-layer address of the access point (BSSID).
    ///
    /// It changes when the link roams to another access point of the same network.
    public var accessPoint: MACAddress?
    /// The link quality expected from the signal.
    public var quality: NetworkPath.LinkQuality

    /// Creates a link, also for tests and scripts.
    public init(ssid: [UInt8]?, accessPoint: MACAddress? = nil, quality: NetworkPath.LinkQuality = .unknown) {
        self.ssid = ssid
        self.accessPoint = accessPoint
        self.quality = quality
    }

    /// The network's name as text; bytes that are not UTF-8 are replaced.
    public var networkName: String? { ssid.map { String(decoding: $0, as: UTF8.self) } }
}

extension LinkQuality {
    /// The signal from which a Wi-Fi link is good, in dBm: the level that voice and video are planned for.
    public static let goodSignal: Int8 = -67
    /// The signal from which a Wi-Fi link is moderate, in dBm: below it, frames are lost.
    public static let moderateSignal: Int8 = -77
    /// How far below a threshold a signal must be before the quality drops, in dB: a steady signal varies by this much.
    static let hysteresis: Int8 = 3

    /// Creates the quality of a Wi-Fi link from its signal.
    ///
    /// - Parameters:
    ///   - signal: in dBm; nil and impossible values result in `unknown`.
    ///   - previous: the last quality, so that a signal near a threshold does not change it constantly.
    public init(signal: Int8?, previous: NetworkPath.LinkQuality = .unknown) {
        guard let signal, signal < 0, signal > -120 else {
            self = .unknown
            return
        }
        let good = previous == .good ? Self.goodSignal - Self.hysteresis : Self.goodSignal
        let isAtLeastModerate = previous == .good || previous == .moderate
        let moderate = isAtLeastModerate ? Self.moderateSignal - Self.hysteresis : Self.moderateSignal
        self = signal >= good ? .good : signal >= moderate ? .moderate : .minimal
    }
}

/// The kind of switch that keeps a radio off (rfkill).
public enum RadioBlock: Hashable, Sendable {
    /// A setting, such as airplane mode or `rfkill block`.
    case software
    /// A physical switch or key of the machine.
    case hardware
}

/// The rfkill switch of a radio.
struct RadioSwitch: Hashable {
    /// The relevant kinds of radio, as sysfs spells them.
    enum Kind: String { case wlan, wwan }

    /// The radio's name, such as `phy0`.
    var name: String
    var type: Kind
    var block: RadioBlock?
}

extension [RadioSwitch] {
    /// Returns what keeps a radio off: its own switch or, if none has its name, the switches of its type if all are off.
    func block(of type: RadioSwitch.Kind, named name: String?) -> RadioBlock? {
        let ofType = filter { $0.type == type }
        if let name, let own = ofType.first(where: { $0.name == name }) { return own.block }
        guard let first = ofType.first?.block, ofType.allSatisfy({ $0.block != nil }) else { return nil }
        return ofType.contains { $0.block == .hardware } ? .hardware : first
    }
}
