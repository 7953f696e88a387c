// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Synchronization

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

    func limitRoutes(toThoseCovering addresses: some Collection<NetworkAddress>) -> Bool {
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
                if drained == .lost { read.append(.lost) }
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
