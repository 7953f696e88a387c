// SPDX-License-Identifier: Apache-2.0

/// A protocol of generic netlink: `CTRL_CMD_NEWFAMILY` (`linux/genetlink.h`).
///
/// Numbers are assigned when the system starts or when a driver is loaded; names do not change.
public struct GenericFamily: Hashable, Sendable {
    /// The type of its messages.
    public var type: MessageType
    /// Its name, such as `nl80211`.
    public var name: String
    /// Its version.
    public var version: UInt32
    /// The numbers of its multicast groups, by name.
    public var groups: [String: UInt32] = [:]
}

extension GenericFamily {
    /// Reads a message's payload.
    ///
    /// - Throws: `truncated`; `malformed` also when it has no number or no name.
    init(_ payload: RawSpan) throws(NetlinkError) {
        var type: UInt16?
        var name: String?
        var version: UInt32 = 0
        var groups: [String: UInt32] = [:]
        let header = try GenericHeader(payload)
        guard header.command == Command.newFamily else { throw .malformed("control command \(header.command)") }
        try payload.forEachAttribute(from: GenericHeader.size) { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Attribute.identifier: type = try value.exactly(UInt16.self)
            case Attribute.name: name = value.cString
            case Attribute.version: version = try value.exactly(UInt32.self)
            case Attribute.groups: groups = try Self.groups(value)
            default: break
            }
        }
        guard let type, let name else { throw .malformed("a generic family without number or name") }
        self.init(type: MessageType(rawValue: type), name: name, version: version, groups: groups)
    }

    private static func groups(_ list: RawSpan) throws(NetlinkError) -> [String: UInt32] {
        var groups: [String: UInt32] = [:]
        try list.forEachAttribute { (_, group) throws(NetlinkError) in
            var name: String?
            var number: UInt32?
            try group.forEachAttribute { (attribute, value) throws(NetlinkError) in
                switch attribute {
                case GroupAttribute.name: name = value.cString
                case GroupAttribute.identifier: number = try value.exactly(UInt32.self)
                default: break
                }
            }
            if let name, let number { groups[name] = number }
        }
        return groups
    }

    /// `CTRL_CMD_…`.
    enum Command {
        static let newFamily: UInt8 = 1
        static let getFamily: UInt8 = 3
    }

    /// `CTRL_ATTR_…`.
    enum Attribute {
        static let identifier: UInt16 = 1
        static let name: UInt16 = 2
        static let version: UInt16 = 3
        static let groups: UInt16 = 7
    }

    /// `CTRL_ATTR_MCAST_GRP_…`.
    enum GroupAttribute {
        static let name: UInt16 = 1
        static let identifier: UInt16 = 2
    }
}

/// `struct genlmsghdr`.
struct GenericHeader {
    static let size = 4

    let command: UInt8

    init(_ payload: RawSpan) throws(NetlinkError) {
        guard payload.byteCount >= Self.size else {
            throw .truncated("a generic header", available: payload.byteCount)
        }
        command = try payload.integer(at: 0)
    }

    static func write(_ command: UInt8, version: UInt8, to writer: inout MessageWriter) {
        writer.append(command)
        writer.append(version)
        writer.append(UInt16(0))
    }
}
