// SPDX-License-Identifier: Apache-2.0

/// A network that a Wi-Fi interface has found: one result of a scan, `NL80211_CMD_NEW_SCAN_RESULTS` (`linux/nl80211.h`).
public struct WiFiNetwork: Hashable, Sendable {
    /// The access point's link-layer address (BSSID).
    public var hardwareAddress: [UInt8]
    /// The network's name, as 1 to 32 arbitrary bytes, by convention UTF-8; nil when it is hidden.
    public var ssid: [UInt8]?
    /// The frequency of its channel, in MHz.
    public var frequency: UInt32?
    /// The strength of its signal, in hundredths of a dBm.
    public var signal: Int32?
    /// Whether the interface has joined the network through this access point.
    public var isJoined = false
}

extension WiFiNetwork {
    /// Reads a message's payload; nil for another command, or for a result without an address.
    ///
    /// - Throws: `truncated` or `malformed`.
    init?(_ payload: RawSpan) throws(NetlinkError) {
        guard try GenericHeader(payload).command == Command.newScanResults else { return nil }
        var address: [UInt8]?
        var elements: [UInt8] = []
        var beaconElements: [UInt8] = []
        self.init(hardwareAddress: [])
        try payload.forEachAttribute(from: GenericHeader.size) { (attribute, value) throws(NetlinkError) in
            guard attribute == Attribute.network else { return }
            try value.forEachAttribute { (attribute, value) throws(NetlinkError) in
                switch attribute {
                case Network.address: address = value.array
                case Network.frequency: frequency = try value.exactly(UInt32.self)
                case Network.elements: elements = value.array
                case Network.beaconElements: beaconElements = value.array
                case Network.signal: signal = try value.exactly(Int32.self)
                case Network.status: isJoined = try value.exactly(UInt32.self) == Network.associated
                default: break
                }
            }
        }
        guard let address else { return nil }
        hardwareAddress = address
        ssid = Self.name(elements) ?? Self.name(beaconElements)
    }

    /// The network's name among the information elements of a frame (IEEE 802.11, section 9.4.2).
    ///
    /// Each element has its number, its length and its bytes; the name's number is 0. Hidden networks send no name, or zeros.
    static func name(_ elements: [UInt8]) -> [UInt8]? {
        var rest = elements[...]
        while let number = rest.popFirst(), let length = rest.popFirst(), Int(length) <= rest.count {
            if number == 0 {
                let name = Array(rest.prefix(Int(length)))
                return name.count > 32 || name.allSatisfy { $0 == 0 } ? nil : name
            }
            rest = rest.dropFirst(Int(length))
        }
        return nil
    }

    /// `NL80211_CMD_…`.
    enum Command {
        static let getScan: UInt8 = 32
        static let newScanResults: UInt8 = 34
    }

    /// `NL80211_ATTR_…`.
    enum Attribute {
        static let network: UInt16 = 47
    }

    /// `NL80211_BSS_…`.
    enum Network {
        static let address: UInt16 = 1
        static let frequency: UInt16 = 2
        static let elements: UInt16 = 6
        static let signal: UInt16 = 7
        static let status: UInt16 = 9
        static let beaconElements: UInt16 = 11
        /// `NL80211_BSS_STATUS_ASSOCIATED`.
        static let associated: UInt32 = 1
    }
}

#if os(Linux) || os(Android)
extension GenericNetlink {
    /// The networks that a Wi-Fi interface knows from its last scan, the joined one marked.
    ///
    /// Needs no privilege, and scans nothing itself.
    public mutating func wifiNetworks(of index: Int32) throws(NetlinkError) -> [WiFiNetwork] {
        guard let family = try wifiFamily() else { return [] }
        return try dump(family, command: WiFiNetwork.Command.getScan, "NL80211_CMD_GET_SCAN") {
            $0.attribute(WiFiInterface.Attribute.index, UInt32(bitPattern: index))
        } read: { (payload) throws(NetlinkError) in
            try WiFiNetwork(payload)
        }
    }
}
#endif
