// SPDX-License-Identifier: Apache-2.0

/// The way that packets to a host take out of this machine.
public struct HostRoute: Hashable, Sendable {
    /// The interface that they leave by.
    public var interface: NetworkPath.Interface?
    /// The next router, a link-local one with `%` and its interface; nil for a direct or unknown route.
    public var gateway: String?
    /// No router is on the way.
    public var isDirect: Bool
    /// The address is this machine's own.
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
