// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

public import Netlink
import Synchronization

/// Changes of links, addresses, routes, rules and nexthop objects, as the kernel announces them.
///
/// The subscription starts on creation: read the state after that, and no change is missed in between. Nothing is
/// buffered in the program: unread events wait in the kernel's buffer, and when that overflows, a single `lost` replaces
/// the dropped events. Messages are hints, and some changes are not announced (see `MulticastGroup`).
///
/// The sequence ends when the task that reads it is cancelled. If several tasks read it, each event goes to one of them.
///
/// ```swift
/// let events = try RouteEvents()
/// var kernel = try RouteNetlink()
/// var links = try kernel.links()
/// for try await event in events {
///     switch event {
///     case .message(.newLink(let link)): print(link.name ?? "?", link.flags)
///     case .message: break
///     case .lost: links = try kernel.links()
///     }
/// }
/// ```
public struct RouteEvents: AsyncSequence, Sendable {
    /// An event.
    public enum Element: Hashable, Sendable {
        /// A change.
        case message(RouteNetlinkMessage)
        /// Events were lost or unreadable: read the state again.
        case lost
    }

    /// The error of a socket that failed permanently.
    public typealias Failure = NetlinkError

    private let source: RouteEventSource

    /// Subscribes.
    ///
    /// - Parameters:
    ///   - groups: the groups to join.
    ///   - namespace: the network namespace; nil is the calling thread's.
    ///   - receiveBuffer: the size to ask the kernel for, in bytes; a larger buffer loses events less often.
    /// - Throws: `system` when netlink is unavailable. Refused groups do not throw; see `refused`.
    public init(
        _ groups: [MulticastGroup] = MulticastGroup.routing, in namespace: NetworkNamespace? = nil,
        receiveBuffer: Int32 = 1 << 20
    ) throws(NetlinkError) {
        if let namespace {
            source = RouteEventSource(try NetlinkSubscription(groups, in: namespace, receiveBuffer: receiveBuffer))
        } else {
            source = RouteEventSource(try NetlinkSubscription(groups, receiveBuffer: receiveBuffer))
        }
    }

    /// The groups that the kernel or a sandbox refused, with the reason.
    public var refused: [MulticastGroup: NetlinkError] { source.refused }

    /// Limits route changes to those whose destination covers one of the addresses; other messages are not affected.
    ///
    /// - Returns: false when the kernel cannot do this (too many addresses, no filters): all changes are delivered.
    @discardableResult
    public func limitRoutes(toThoseCovering addresses: [NetworkAddress]) -> Bool {
        source.limitRoutes(toThoseCovering: addresses)
    }

    /// Creates a reader.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads the events, one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: RouteEventSource
        private var hasEnded = false

        fileprivate init(source: RouteEventSource) { self.source = source }

        /// The next event; nil once the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetlinkError) -> Element? {
            while !hasEnded, !Task.isCancelled {
                if let event = try source.next() { return event }
                await source.waitUntilReadable()
            }
            hasEnded = true
            return nil
        }

        /// The next event; nil once the task is cancelled.
        public mutating func next() async throws(NetlinkError) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

@available(*, unavailable)
extension RouteEvents.Iterator: Sendable {}

/// The state that the readers of one `RouteEvents` share: the subscription, and a way to wait for it.
final class RouteEventSource: Sendable {
    private let inbox: Inbox
    private let readiness: ReadabilityWaiter

    init(_ subscription: consuming sending NetlinkSubscription) {
        let number = subscription.descriptorNumber
        inbox = Inbox(subscription)
        readiness = ReadabilityWaiter(of: number, ownedBy: inbox)
    }

    var refused: [MulticastGroup: NetlinkError] { inbox.state.withLock { $0.subscription.refused } }

    func limitRoutes(toThoseCovering addresses: [NetworkAddress]) -> Bool {
        let addresses = Array(addresses)
        return inbox.state.withLock { $0.subscription.limitRoutes(toThoseCovering: addresses) }
    }

    /// The next event; nil when none is queued.
    func next() throws(NetlinkError) -> RouteEvents.Element? {
        try inbox.state.withLock { (state) throws(NetlinkError) in
            while state.pending.isEmpty {
                var read: [RouteEvents.Element] = []
                let drained = try state.subscription.drain(most: 1) { (header, payload) throws(NetlinkError) in
                    read.append(.message(try RouteNetlinkMessage(header, payload)))
                }
                // After an overflow, what was queued comes first: until it has been read, more is dropped.
                if drained == .lost, !state.subscription.isCongested { read.append(.lost) }
                if drained == .empty, read.isEmpty { return nil }
                state.pending = read.reversed()
            }
            return state.pending.popLast()
        }
    }

    func waitUntilReadable() async { await readiness.wait() }
}

/// The subscription and the rest of its last datagram.
private final class Inbox: Sendable {
    struct State: ~Copyable {
        var subscription: NetlinkSubscription
        /// Events read from the socket and not delivered yet, newest first.
        var pending: [RouteEvents.Element] = []
    }

    let state: Mutex<State>

    init(_ subscription: consuming sending NetlinkSubscription) {
        state = Mutex(State(subscription: subscription))
    }
}

#endif
