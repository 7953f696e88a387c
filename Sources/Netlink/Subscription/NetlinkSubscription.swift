// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Receives the kernel's announcements, from the moment of its creation.
///
/// Create it first, then read the state: no change is missed in between. It belongs to one thread or actor.
public struct NetlinkSubscription: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = NetlinkSocket.makeBuffer()
    /// The number of consecutive receives for which the kernel had no memory.
    private var refusals = 0
    /// More failures than this count as permanent: retrying at once would be a busy loop.
    private static let toleratedRefusals = 8

    /// Whether changes of neighbours are announced to the socket.
    private var hasNeighbors = false

    /// Whether the buffer has overflowed, and has not been empty since: the kernel then drops events, and does not say so again
    /// (`NETLINK_S_CONGESTED`).
    package private(set) var isCongested = false

    /// The groups that the kernel or a sandbox refused, with the reason.
    public private(set) var refused: [MulticastGroup: NetlinkError] = [:]

    /// The result of a drain.
    public enum DrainResult: Hashable, Sendable {
        /// Everything that was queued has been read.
        case empty
        /// The limit was reached; more may be queued.
        case more
        /// Events were lost or unreadable: read the state again.
        ///
        /// After an overflow it is reported at once, and again when the events that were queued then have been read, unless the
        /// same call reads them all: until then the kernel drops further events without notice.
        case lost
    }

    /// Subscribes, in the calling thread's network namespace.
    ///
    /// - Parameters:
    ///   - groups: the groups to join.
    ///   - receiveBuffer: the size to ask for, in bytes; a larger buffer loses events less often.
    /// - Throws: `system` when netlink is unavailable. Refused groups do not throw; see `refused`.
    public init(_ groups: [MulticastGroup], receiveBuffer: Int32 = 1 << 20) throws(NetlinkError) {
        try self.init(groups, NetlinkSocket(.route), receiveBuffer: receiveBuffer)
    }

    /// Subscribes with a socket, which may be one of another namespace.
    package init(
        _ groups: [MulticastGroup], _ socket: consuming NetlinkSocket, receiveBuffer: Int32
    ) throws(NetlinkError) {
        socket.preferReceiveBuffer(bytes: receiveBuffer)
        for group in groups {
            do { try socket.join(group) } catch { refused[group] = error }
        }
        self.socket = socket
    }

    /// The descriptor's number, for poll(2).
    public var descriptorNumber: Int32 { socket.descriptorNumber }

    /// The port that the kernel gave the socket.
    public var portNumber: UInt32 { socket.portNumber }

    /// Limits route changes to those whose destination covers one of the addresses; other messages are not affected.
    ///
    /// It replaces an earlier limit. Messages that are queued already are not affected.
    ///
    /// - Returns: false when the kernel cannot do this (too many addresses, no filters): all changes are delivered.
    @discardableResult
    public func limitRoutes(toThoseCovering addresses: [NetworkAddress]) -> Bool {
        if let filter = SocketFilter(routesCovering: addresses), attach(filter) { return true }
        // An earlier limit must not hide changes for the new addresses.
        try? socket.detachFilter()
        return false
    }

    /// Replaces the filter; returns false when the kernel cannot, and then there is none.
    private func attach(_ filter: SocketFilter) -> Bool {
        if (try? socket.attach(filter)) != nil { return true }
        // The memory of the old filter and the new one is limited by `net.core.optmem_max`: 20 KiB before Linux 6.8.
        try? socket.detachFilter()
        return (try? socket.attach(filter)) != nil
    }

    /// Limits route changes, as `limitRoutes(toThoseCovering:)` does, and changes of neighbours to those that matter for some
    /// routers; the first call with a router also subscribes to neighbours.
    ///
    /// The kernel drops the other changes before they wake a reader. If a filter for all addresses is too large, changes
    /// of all routes are delivered. Where the kernel never accepts a filter, nothing about neighbours is delivered.
    package mutating func limit(routesTo addresses: [NetworkAddress], neighbors: [NeighborWatch]) {
        for addresses in [addresses, nil] {
            guard let filter = SocketFilter(routesCovering: addresses, neighbors: neighbors), attach(filter) else {
                continue
            }
            if !hasNeighbors, !neighbors.isEmpty { hasNeighbors = (try? socket.join(.neighbor)) != nil }
            return
        }
        limitRoutes(toThoseCovering: addresses)
    }

    /// Delivers what is queued, without waiting for more.
    ///
    /// - Parameters:
    ///   - most: the maximum number of datagrams to read.
    ///   - body: receives each message's header and payload.
    /// - Throws: `system` when the socket fails permanently. If the body throws, the rest of its datagram counts as `lost`.
    public mutating func drain(
        most: Int = .max, _ body: (MessageHeader, RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> DrainResult {
        var result = DrainResult.empty
        for _ in 0..<most {
            do {
                let received = try socket.receive(into: &buffer, waiting: false)
                refusals = 0
                switch received {
                case .nothing:
                    defer { isCongested = false }
                    return isCongested ? .lost : result
                case .stranger: break
                case .datagram(let count):
                    // Every bit pattern of UInt8 is a byte; the span cannot outlive the buffer.
                    try unsafe buffer.span.bytes.extracting(first: count).forEachMessage(body)
                }
            } catch let error {
                switch error.code {
                case .overflow:
                    result = .lost
                    isCongested = true
                case .truncated, .malformed: result = .lost
                case .system where error.errno == .noMemory && refusals < Self.toleratedRefusals:
                    refusals += 1
                    return .lost
                default: throw error
                }
            }
        }
        return result == .lost ? .lost : .more
    }
}
#endif
