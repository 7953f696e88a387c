// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import Netlink

extension RouteNetlink {
    /// Adds an address to a link.
    ///
    /// The kernel adds the route to the connected network.
    ///
    /// - Parameters:
    ///   - prefix: the address with its prefix length.
    ///   - index: the link.
    ///   - peer: the other end of a point-to-point link.
    ///   - flags: such as `noDuplicateDetection`, for an IPv6 address that is usable at once.
    ///   - scope: the range in which it is valid.
    ///   - validLifetime: the number of seconds until the kernel removes it; nil is never.
    /// - Throws: `kernel` with `exists`, `noSuchDevice`, `notPermitted`.
    public mutating func addAddress(
        _ prefix: NetworkPrefix, to index: Int32, peer: NetworkAddress? = nil, flags: AddressFlags = [],
        scope: RouteScope = .universe, validLifetime: UInt32? = nil
    ) throws(NetlinkError) {
        try change(.newAddress, [.create, .exclusive], "RTM_NEWADDR \(prefix)") {
            Self.write(prefix, of: index, peer: peer, flags: flags, scope: scope, to: &$0)
            if let validLifetime {
                // struct ifa_cacheinfo: preferred, valid, created, changed.
                var lifetimes = MessageWriter.raw()
                for value in [validLifetime, validLifetime, 0, 0] { lifetimes.append(value) }
                $0.attribute(AddressMessage.Attribute.cacheInfo.rawValue, lifetimes.bytes)
            }
        }
    }

    /// Deletes an address from a link.
    ///
    /// Routes that depend on it are deleted as well, those of IPv4 without an announcement.
    ///
    /// - Parameters:
    ///   - prefix: the address with its prefix length.
    ///   - index: the link.
    ///   - peer: the other end, for an address that was added with one.
    /// - Throws: `kernel` with errno 99 (address not available) when the link does not have it.
    public mutating func deleteAddress(
        _ prefix: NetworkPrefix, from index: Int32, peer: NetworkAddress? = nil
    ) throws(NetlinkError) {
        try change(.deleteAddress, [], "RTM_DELADDR \(prefix)") {
            Self.write(prefix, of: index, peer: peer, flags: [], scope: .universe, to: &$0)
        }
    }

    private static func write(
        _ prefix: NetworkPrefix, of index: Int32, peer: NetworkAddress?, flags: AddressFlags, scope: RouteScope,
        to writer: inout MessageWriter
    ) {
        writer.append(prefix.address.family.rawValue)
        writer.append(prefix.length)
        writer.append(UInt8(truncatingIfNeeded: flags.rawValue))
        writer.append(scope.rawValue)
        writer.append(index)
        writer.attribute(AddressMessage.Attribute.local.rawValue, prefix.address)
        writer.attribute(AddressMessage.Attribute.address.rawValue, peer ?? prefix.address)
        writer.attribute(AddressMessage.Attribute.flags.rawValue, flags.rawValue)
    }
}
#endif
