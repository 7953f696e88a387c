// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
package import Netlink

extension RouteNetlink {
    /// Sends a change, which needs `CAP_NET_ADMIN`, and waits for its acknowledgement.
    package mutating func change(
        _ type: MessageType, _ flags: MessageFlags = [], _ operation: String, write: (inout MessageWriter) -> Void
    ) throws(NetlinkError) {
        try socket.exchange(type, flags.union(.acknowledge), operation: operation, write: write)
    }

    /// The kernel reserves 16 bytes for a name, the last a NUL (`IFNAMSIZ`).
    static func check(name: String) throws(NetlinkError) {
        guard !name.isEmpty, name.utf8.count < 16, !name.utf8.contains(0) else {
            throw .invalidArgument("link name", "'\(name)' must have 1 to 15 bytes and no NUL")
        }
    }
}

extension LinkMessage {
    /// The attributes that only changes carry (`IFLA_…`).
    package enum ChangeAttribute {
        package static let mtu: UInt16 = 4
        package static let linkMode: UInt16 = 17
        package static let namespaceDescriptor: UInt16 = 28
        /// `VETH_INFO_PEER` (`linux/veth.h`), inside a veth's `IFLA_INFO_DATA`.
        package static let vethPeer: UInt16 = 1
        /// `IFLA_MACVLAN_MODE`, inside a macvlan's `IFLA_INFO_DATA`.
        package static let macvlanMode: UInt16 = 1
        /// `MACVLAN_MODE_BRIDGE`.
        package static let macvlanBridge: UInt32 = 4
        /// `IFLA_VLAN_ID`, inside a VLAN's `IFLA_INFO_DATA`.
        package static let vlanIdentifier: UInt16 = 1
    }
}

extension RouteMessage {
    /// `RTA_EXPIRES`.
    package static let expiresAttribute: UInt16 = 23
}

extension MessageWriter {
    /// A nested attribute, marked as such (`NLA_F_NESTED`).
    package mutating func nested(_ type: UInt16, _ body: (inout MessageWriter) -> Void) {
        var content = MessageWriter.raw()
        body(&content)
        attribute(type | 0x8000, content.bytes)
    }
}
#endif
