// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Reads links, addresses, routes and rules: rtnetlink(7).
///
/// It belongs to one network namespace, and to one thread or actor at a time.
/// A call returns when the kernel has answered, which it does at once. It needs no privilege.
public struct RouteNetlink: ~Copyable {
    package var socket: RequestSocket

    /// Opens a socket, in the calling thread's network namespace.
    ///
    /// - Throws: `system`: see `NetlinkSocket`.
    public init() throws(NetlinkError) { try self.init(NetlinkSocket(.route)) }

    /// Uses a socket, which may be one of another namespace.
    package init(_ socket: consuming NetlinkSocket) throws(NetlinkError) { self.socket = try RequestSocket(socket) }

    /// The unique ID of the network namespace; nil where the kernel does not provide it (before 5.14).
    public var namespaceCookie: UInt64? { socket.namespaceCookie }
}
#endif
