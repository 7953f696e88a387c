// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Reads and changes links, addresses, routes and rules: rtnetlink(7).
///
/// It belongs to one network namespace, and to one thread or actor at a time.
/// A call returns when the kernel has answered, which it does at once. Reading needs no privilege; changing needs
/// `CAP_NET_ADMIN` in the namespace.
///
/// ```swift
/// var kernel = try RouteNetlink()
/// try kernel.createLink(.veth(name: "a", peer: "b"))
/// let a = try kernel.link(named: "a")
/// if let prefix = NetworkPrefix("192.0.2.1/24") { try kernel.addAddress(prefix, to: a.index) }
/// try kernel.setLink(a.index, up: true)
/// ```
public struct RouteNetlink: ~Copyable {
    var socket: RequestSocket

    /// Opens a socket.
    ///
    /// - Parameter namespace: the network namespace; nil is the calling thread's.
    /// - Throws: `system`: see `NetlinkSocket`.
    public init(in namespace: NetworkNamespace? = nil) throws(NetlinkError) {
        socket = try RequestSocket(.route, in: namespace)
    }

    /// The unique ID of the network namespace; nil where the kernel does not provide it (before 5.14).
    public var namespaceCookie: UInt64? { socket.namespaceCookie }

    /// Sends a change and waits for its acknowledgement.
    mutating func change(
        _ type: MessageType, _ flags: MessageFlags = [], _ operation: String, write: (inout MessageWriter) -> Void
    ) throws(NetlinkError) {
        try socket.exchange(type, flags.union(.acknowledge), operation: operation, write: write)
    }
}
#endif
