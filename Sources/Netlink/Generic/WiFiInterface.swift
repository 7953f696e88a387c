// SPDX-License-Identifier: Apache-2.0

/// A Wi-Fi interface: `NL80211_CMD_NEW_INTERFACE` (`linux/nl80211.h`).
public struct WiFiInterface: Hashable, Sendable {
    /// The link's number.
    public var index: Int32
    /// The link's name.
    public var name: String
    /// The interface's role: a station, an access point, a monitor.
    public var type: WiFiInterfaceType
    /// The name of the network that it has joined or offers, as 0 to 32 arbitrary bytes, by convention UTF-8.
    ///
    /// Nil if it has none, or if the driver does not report it.
    public var ssid: [UInt8]?
    /// The frequency of its channel, in MHz; nil while it has none.
    public var frequency: UInt32?
    /// Its link-layer address.
    public var hardwareAddress: [UInt8]?
    /// The number of the radio that it uses (`phy0` is 0); several interfaces can share one.
    public var radio: UInt32?
}

/// The role of a Wi-Fi interface: `NL80211_IFTYPE_…` (`linux/nl80211.h`).
public struct WiFiInterfaceType: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt32

    /// Creates a type from the kernel's number; unknown numbers are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Unspecified.
    public static let unspecified = Self(rawValue: 0)
    /// A station, which joins networks: the most common role.
    public static let station = Self(rawValue: 2)
    /// An access point.
    public static let accessPoint = Self(rawValue: 3)
    /// Receives all frames.
    public static let monitor = Self(rawValue: 6)
    /// Wi-Fi Direct, a member of a group.
    public static let directClient = Self(rawValue: 8)
}

extension WiFiInterface {
    /// Reads a message's payload; nil for an interface without a link, such as a Wi-Fi Direct device.
    ///
    /// - Throws: `truncated` or `malformed`.
    init?(_ payload: RawSpan) throws(NetlinkError) {
        guard try GenericHeader(payload).command == Command.newInterface else { return nil }
        var index: Int32?
        var name: String?
        self.init(index: 0, name: "", type: .unspecified)
        try payload.forEachAttribute(from: GenericHeader.size) { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Attribute.radio: radio = try value.exactly(UInt32.self)
            case Attribute.index: index = try value.exactly(Int32.self)
            case Attribute.name: name = value.cString
            case Attribute.type: type = WiFiInterfaceType(rawValue: try value.exactly(UInt32.self))
            case Attribute.hardwareAddress: hardwareAddress = value.array
            case Attribute.frequency: frequency = try value.exactly(UInt32.self)
            case Attribute.ssid: ssid = value.array
            default: break
            }
        }
        guard let index, let name else { return nil }
        self.index = index
        self.name = name
    }

    /// `NL80211_CMD_…`.
    enum Command {
        static let getInterface: UInt8 = 5
        static let newInterface: UInt8 = 7
    }

    /// `NL80211_ATTR_…`.
    enum Attribute {
        static let radio: UInt16 = 1
        static let index: UInt16 = 3
        static let name: UInt16 = 4
        static let type: UInt16 = 5
        static let hardwareAddress: UInt16 = 6
        static let frequency: UInt16 = 38
        static let ssid: UInt16 = 52
    }
}

#if os(Linux) || os(Android)
extension GenericNetlink {
    /// The name of the Wi-Fi family: `NL80211_GENL_NAME`.
    static let wifiFamilyName = "nl80211"

    /// Every Wi-Fi interface of the namespace; empty also on a system without Wi-Fi.
    public mutating func wifiInterfaces() throws(NetlinkError) -> [WiFiInterface] {
        guard let family = try wifiFamily() else { return [] }
        return try dump(family, command: WiFiInterface.Command.getInterface, "NL80211_CMD_GET_INTERFACE") {
            (payload) throws(NetlinkError) in
            try WiFiInterface(payload)
        }
    }
}
#endif
