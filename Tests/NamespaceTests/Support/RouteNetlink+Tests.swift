// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import TestSupport

/// Changes that only tests make.
extension RouteNetlink {
    /// Creates the link `up0` with the address 192.0.2.2; its other end `far` is in the same namespace.
    ///
    /// - Returns: the index of `up0`.
    mutating func makeUplink() throws -> Int32 {
        try createLink(.veth(name: "up0", peer: "far"))
        try setLink(try link(named: "far").index, up: true)
        let index = try link(named: "up0").index
        try setLink(index, up: true)
        try add("192.0.2.2/24", to: index)
        return index
    }

    /// Renames a link.
    mutating func rename(_ index: Int32, to name: String) throws {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.Attribute.name.rawValue, name)
        }
    }

    /// Puts a link into a group.
    mutating func setLink(_ index: Int32, group: UInt32) throws {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.Attribute.group.rawValue, group)
        }
    }

    /// Creates a bridge with a given index.
    mutating func createBridge(_ name: String, index: Int32) throws {
        try change(.newLink, [.create, .exclusive], "RTM_NEWLINK \(name)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.Attribute.name.rawValue, name)
            $0.nested(LinkMessage.Attribute.info.rawValue) { $0.attribute(LinkMessage.InfoAttribute.kind, "bridge") }
        }
    }

    /// Changes the MTU, which no path depends on.
    mutating func setSize(of index: Int32, _ bytes: UInt32) throws {
        try change(.newLink, [], "RTM_NEWLINK \(index)") {
            Self.writeLinkHeader(&$0, index: index)
            $0.attribute(LinkMessage.ChangeAttribute.mtu, bytes)
        }
    }

    /// Adds an address again, as a DHCP client does on renewal: the kernel repeats `RTM_NEWADDR`.
    mutating func renew(_ prefix: NetworkPrefix, on index: Int32, lifetime: UInt32) throws {
        try change(.newAddress, [.create, .replace], "RTM_NEWADDR \(prefix)") {
            $0.append(prefix.address.family.rawValue)
            $0.append(prefix.length)
            $0.append([0, 0])
            $0.append(index)
            $0.attribute(AddressMessage.Attribute.local.rawValue, prefix.address)
            $0.attribute(AddressMessage.Attribute.address.rawValue, prefix.address)
            var lifetimes = MessageWriter.raw()
            for value in [lifetime, lifetime, 0, 0] { lifetimes.append(value) }
            $0.attribute(AddressMessage.Attribute.cacheInfo.rawValue, lifetimes.bytes)
        }
    }
}
#endif
