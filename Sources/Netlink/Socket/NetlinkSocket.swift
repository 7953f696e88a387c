// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
package import SystemSupport

/// A netlink socket: the raw connection to the kernel, in one network namespace.
///
/// It belongs to one thread or actor at a time. Errors contain the kernel's own message where there is one
/// (extended acknowledgement); datagrams that do not come from the kernel are dropped.
public struct NetlinkSocket: ~Copyable {
    /// A netlink protocol.
    public enum Family: Int32, Sendable {
        /// `NETLINK_ROUTE`: links, addresses, routes, rules, neighbours.
        case route = 0
        /// `NETLINK_GENERIC`: families found by name, such as `nl80211`.
        case generic = 16
    }

    /// The result of a receive.
    enum Received {
        /// A datagram from the kernel, of this length.
        case datagram(Int)
        /// A datagram from another process, which is ignored.
        case stranger
        /// Nothing is queued.
        case nothing
    }

    /// The size of a receive buffer.
    ///
    /// The kernel fills dump datagrams up to the reader's buffer size, but to at most 32 KiB.
    static let bufferSize = 65536

    /// Returns a receive buffer with undefined content, of which only what has been received may be read.
    ///
    /// Most datagrams are short, and memory that is never written takes no page.
    static func makeBuffer() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: bufferSize) { _, count in count = bufferSize }
    }

    private let descriptor: Descriptor
    private let port: UInt32

    /// Opens and binds a socket, in the calling thread's network namespace.
    ///
    /// - Throws: `system` with `addressFamilyNotSupported` or `notPermitted` where a sandbox hides netlink,
    ///   with `tooManyOpenFiles` when no descriptor is available.
    public init(_ family: Family) throws(NetlinkError) {
        try self.init(binding: Syscall.openSocket(protocol: family.rawValue))
    }

    /// Binds a socket, which may be one of another namespace.
    package init(binding descriptor: Descriptor) throws(NetlinkError) {
        try Syscall.bindSocket(descriptor)
        port = try Syscall.port(descriptor)
        self.descriptor = descriptor
    }

    /// Enables the options that make answers precise: extended errors, short errors, and dumps that honour filters.
    ///
    /// Kernels before 4.20 lack some of these and sandboxes refuse them; requests work without them.
    func preferPreciseAnswers() {
        for option in [Option.extendedAcknowledgement, .cappedAcknowledgement, .strictChecking] {
            try? Syscall.setOption(descriptor, level: Option.level, option.rawValue, 1)
        }
    }

    /// Limits the time of a blocking receive, so that neither the kernel nor an emulation of it can block the caller.
    func bound(seconds: Int) throws(NetlinkError) {
        try Syscall.setReceiveTimeout(descriptor, seconds: seconds)
    }

    /// Joins a multicast group.
    ///
    /// - Throws: `system` where the kernel or sandbox refuses; the caller must then fall back to polling.
    public func join(_ group: MulticastGroup) throws(NetlinkError) {
        try join(groupNumber: group.rawValue)
    }

    func join(groupNumber: UInt32) throws(NetlinkError) {
        try Syscall.setOption(
            descriptor, level: Option.level, Option.addMembership.rawValue, Int32(bitPattern: groupNumber))
    }

    /// Asks for a receive buffer of this many bytes.
    ///
    /// The kernel may grant less; nothing depends on the size.
    func preferReceiveBuffer(bytes: Int32) {
        // The forced option ignores the system's limit and needs CAP_NET_ADMIN.
        if (try? Syscall.setOption(descriptor, level: Option.socketLevel, Option.forceReceiveBuffer.rawValue, bytes))
            == nil
        {
            try? Syscall.setOption(descriptor, level: Option.socketLevel, Option.receiveBuffer.rawValue, bytes)
        }
    }

    /// Removes the filter, so that the kernel drops nothing.
    func detachFilter() throws(NetlinkError) {
        try Syscall.setOption(descriptor, level: Option.socketLevel, Option.detachFilter.rawValue, 0)
    }

    /// Makes the kernel drop what the filter rejects, before it wakes a reader.
    func attach(_ filter: SocketFilter) throws(NetlinkError) {
        try Syscall.attachFilter(descriptor, filter.instructions)
    }

    func send(_ bytes: [UInt8]) throws(NetlinkError) {
        try Syscall.sendBytes(descriptor, bytes)
    }

    /// Receives the next datagram into `buffer`.
    ///
    /// - Parameter waiting: whether to block, at most for the time limit.
    /// - Throws: `overflow` when events were lost, `truncated` when the datagram exceeded the buffer, `timedOut`.
    func receive(into buffer: inout [UInt8], waiting: Bool) throws(NetlinkError) -> Received {
        let received: (count: Int, sender: UInt32)
        do {
            received = try Syscall.receive(descriptor, into: &buffer, waiting: waiting)
        } catch let error {
            if error.errno == .wouldBlock, !waiting { return .nothing }
            throw Self.explained(error, "recvfrom")
        }
        // Port 0 is the kernel. A privileged process may also send to this port.
        guard received.sender == 0 else { return .stranger }
        guard received.count <= buffer.count else {
            throw .truncated("a datagram of \(received.count) bytes", available: buffer.count)
        }
        return .datagram(received.count)
    }

    /// The length of a slot that holds any answer to a lookup: the kernel makes them in one page, of at most 8 KiB
    /// (`NLMSG_GOODSIZE`).
    static let answerSlot = bufferSize / Int(CLinux_MOST_AT_ONCE)

    /// Receives the datagrams that are queued, up to `CLinux_MOST_AT_ONCE`, each into a slot of `buffer`, and waits if there is
    /// none.
    ///
    /// - Parameter lengths: receives the lengths of the datagrams; 0 for one from another process.
    /// - Returns: the number of datagrams.
    /// - Throws: as `receive(into:waiting:)`.
    func receiveAnswers(into buffer: inout [UInt8], _ lengths: inout [UInt32]) throws(NetlinkError) -> Int {
        let count: Int
        do {
            count = try Syscall.receive(descriptor, into: &buffer, slot: Self.answerSlot, &lengths)
        } catch let error {
            throw Self.explained(error, "recvmmsg")
        }
        for place in 0..<count where lengths[place] > Self.answerSlot {
            throw .truncated("a datagram of \(lengths[place]) bytes", available: Self.answerSlot)
        }
        return count
    }

    private static func explained(_ error: NetlinkError, _ operation: String) -> NetlinkError {
        switch error.errno {
        case .wouldBlock: NetlinkError(.timedOut, operation: operation)
        case .noBufferSpace: NetlinkError(.overflow, operation: operation, errno: .noBufferSpace)
        default: error
        }
    }

    /// The unique ID of the socket's network namespace; nil where the kernel does not provide it (before 5.14).
    public var namespaceCookie: UInt64? { try? Syscall.namespaceCookie(descriptor) }

    /// The descriptor's number, for poll(2).
    ///
    /// It stays valid as long as this value exists.
    public var descriptorNumber: Int32 { descriptor.number }

    /// The port that the kernel assigned to this socket: answers carry it.
    public var portNumber: UInt32 { port }

    /// `NETLINK_…` of `SOL_NETLINK`, `SO_…` of `SOL_SOCKET`.
    struct Option {
        static let level: Int32 = 270
        static let socketLevel: Int32 = 1
        let rawValue: Int32
        static let addMembership = Self(rawValue: 1)
        static let cappedAcknowledgement = Self(rawValue: 10)
        static let extendedAcknowledgement = Self(rawValue: 11)
        static let strictChecking = Self(rawValue: 12)
        static let receiveBuffer = Self(rawValue: 8)
        static let forceReceiveBuffer = Self(rawValue: 33)
        static let detachFilter = Self(rawValue: 27)
    }
}
#endif
