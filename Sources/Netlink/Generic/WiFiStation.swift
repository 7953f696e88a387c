// SPDX-License-Identifier: Apache-2.0

/// The other end of a Wi-Fi link, such as the access point: `NL80211_CMD_NEW_STATION` (`linux/nl80211.h`).
public struct WiFiStation: Hashable, Sendable {
    /// The index of the link on this side.
    public var index: Int32
    /// Its link-layer address: for an access point, the BSSID.
    public var hardwareAddress: [UInt8]
    /// The strength of the last frame from it, in dBm.
    public var signal: Int8?
    /// The strength of its frames on average, in dBm.
    public var averageSignal: Int8?
    /// The rate of the last frame to it, in units of 100 kbit/s.
    public var transmitRate: UInt32?
    /// The rate of the last frame from it, in units of 100 kbit/s.
    public var receiveRate: UInt32?
}

extension WiFiStation {
    /// Reads a message's payload; nil for another command, or for a message without a link or an address.
    ///
    /// - Throws: `truncated` or `malformed`.
    init?(_ payload: RawSpan) throws(NetlinkError) {
        guard try GenericHeader(payload).command == Command.newStation else { return nil }
        var index: Int32?
        var address: [UInt8]?
        self.init(index: 0, hardwareAddress: [])
        try payload.forEachAttribute(from: GenericHeader.size) { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case WiFiInterface.Attribute.index: index = try value.exactly(Int32.self)
            case WiFiInterface.Attribute.hardwareAddress: address = value.array
            case Attribute.information: try readInformation(value)
            default: break
            }
        }
        guard let index, let address else { return nil }
        self.index = index
        hardwareAddress = address
    }

    private mutating func readInformation(_ information: RawSpan) throws(NetlinkError) {
        try information.forEachAttribute { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Information.signal: signal = try value.exactly(Int8.self)
            case Information.averageSignal: averageSignal = try value.exactly(Int8.self)
            case Information.transmitRate: transmitRate = try Self.rate(value)
            case Information.receiveRate: receiveRate = try Self.rate(value)
            default: break
            }
        }
    }

    /// The rate: 16 bits, and in addition 32 where 16 are too small.
    private static func rate(_ list: RawSpan) throws(NetlinkError) -> UInt32? {
        var short: UInt16?
        var long: UInt32?
        try list.forEachAttribute { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Rate.short: short = try value.exactly(UInt16.self)
            case Rate.long: long = try value.exactly(UInt32.self)
            default: break
            }
        }
        return long ?? short.map(UInt32.init)
    }

    /// `NL80211_CMD_…`.
    enum Command {
        static let getStation: UInt8 = 17
        static let newStation: UInt8 = 19
    }

    /// `NL80211_ATTR_…`.
    enum Attribute {
        static let information: UInt16 = 21
    }

    /// `NL80211_STA_INFO_…`.
    enum Information {
        static let signal: UInt16 = 7
        static let transmitRate: UInt16 = 8
        static let averageSignal: UInt16 = 13
        static let receiveRate: UInt16 = 14
    }

    /// `NL80211_RATE_INFO_…`.
    enum Rate {
        static let short: UInt16 = 1
        static let long: UInt16 = 5
    }
}

#if os(Linux) || os(Android)
extension GenericNetlink {
    /// The access point that a Wi-Fi interface has joined, with signal and rates; nil when it has joined none.
    ///
    /// Needs no privilege. Where a driver does not list its stations, the access point comes from the results of the last scan.
    public mutating func accessPoint(of index: Int32) throws(NetlinkError) -> WiFiStation? {
        guard let family = try wifiFamily() else { return nil }
        let listed = (try? stations(family, of: index)) ?? []
        if listed.count == 1 { return listed.first }
        guard let network = try wifiNetworks(of: index).first(where: \.isJoined) else { return listed.first }
        let address = network.hardwareAddress
        if let station = listed.first(where: { $0.hardwareAddress == address }) { return station }
        let station = try query(family, command: WiFiStation.Command.getStation, "NL80211_CMD_GET_STATION") {
            $0.attribute(WiFiInterface.Attribute.index, UInt32(bitPattern: index))
            $0.attribute(WiFiInterface.Attribute.hardwareAddress, address)
        } read: { (payload) throws(NetlinkError) in
            try WiFiStation(payload)
        }
        return station ?? WiFiStation(index: index, hardwareAddress: address)
    }

    private mutating func stations(_ family: GenericFamily, of index: Int32) throws(NetlinkError) -> [WiFiStation] {
        try dump(family, command: WiFiStation.Command.getStation, "NL80211_CMD_GET_STATION") {
            $0.attribute(WiFiInterface.Attribute.index, UInt32(bitPattern: index))
        } read: { (payload) throws(NetlinkError) in
            try WiFiStation(payload)
        }
    }
}
#endif
