// SPDX-License-Identifier: Apache-2.0

/// A routing query to the kernel: the route of a packet to an address.
public struct RouteLookup: Hashable, Sendable {
    /// The destination address of the packet.
    public var destination: NetworkAddress
    /// Only routes over this link, as for a socket bound to it.
    public var interface: Int32?
    /// The packet's source address.
    public var source: NetworkAddress?
    /// The packet's firewall mark.
    public var mark: UInt32?

    /// Creates a lookup.
    ///
    /// Without an interface, a scoped address is looked up over its own.
    public init(
        to destination: NetworkAddress, interface: Int32? = nil, source: NetworkAddress? = nil, mark: UInt32? = nil
    ) {
        self.destination = destination.unscoped
        self.interface = interface ?? (destination.scope == 0 ? nil : Int32(exactly: destination.scope))
        self.source = source
        self.mark = mark
    }
}
