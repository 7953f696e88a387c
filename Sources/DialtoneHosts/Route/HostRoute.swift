// SPDX-License-Identifier: Apache-2.0

/// The route that packets to a host take from this machine.
public struct HostRoute: Hashable, Sendable {
    /// The interface that they use.
    public var interface: NetworkPath.Interface?
    /// The next router, nil for a direct or unknown route; a link-local address ends with `%` and the interface.
    public var gateway: String?
    /// Whether there is no router in between.
    public var isDirect: Bool
    /// Whether the address is this machine's own.
    public var isLocalAddress: Bool

    /// Creates a route.
    public init(
        interface: NetworkPath.Interface? = nil, gateway: String? = nil, isDirect: Bool = false,
        isLocalAddress: Bool = false
    ) {
        self.interface = interface
        self.gateway = gateway
        self.isDirect = isDirect
        self.isLocalAddress = isLocalAddress
    }
}
