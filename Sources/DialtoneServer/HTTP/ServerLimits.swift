// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The limits on requests and connections of untrusted clients.
struct ServerLimits: Hashable, Sendable {
    /// The maximum length of request line and fields together, in bytes.
    var headBytes = 16_384
    /// The maximum length of a request target, in bytes.
    var targetBytes = 2048
    /// The maximum number of fields.
    var fieldCount = 64
    /// The maximum length of a body, in bytes.
    var bodyBytes = 16_384
    /// The time limit for receiving a request, from its first byte or the start of the connection.
    var requestTime = Duration.seconds(10)
    /// The maximum idle time of a connection between requests.
    var idleTime = Duration.seconds(60)
    /// The time limit for a peer to accept sent data; a slower one is disconnected.
    var writeTime = Duration.seconds(20)
    /// The time a client has to end a connection after the last response on it.
    var lingerTime = Duration.seconds(2)
    /// The maximum number of unsent response bytes, to all peers together.
    var unsentBytes = 32 * 1_048_576
    /// The maximum number of connections.
    var connections = 1024
    /// The maximum number of connections per client; clients on this machine may use all of them.
    var connectionsPerPeer = 64
    /// The maximum number of connections per IPv4 /24 or IPv6 /48.
    var connectionsPerNetwork = 256
    /// The maximum number of connections that are event streams.
    var streams = 768
    /// The delay before the response to a wrong token.
    var wrongTokenDelay = Duration.seconds(1)
    /// The number of such responses that may be delayed at a time; each holds a connection.
    var wrongTokensPending = 64
    /// The time limit for reading the history.
    var historyTime = Duration.seconds(30)
    /// The time that requests in progress have to complete when the server stops.
    var grace = Duration.seconds(3)
}

/// A limit on the total amount of a resource that all users may hold at a time.
final class Budget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Reserves an amount; false if not enough is left.
    ///
    /// A single user may exceed the limit, so that it cannot starve.
    func reserve(_ amount: Int) -> Bool {
        used.withLock { used in
            guard used == 0 || amount <= limit - used else { return false }
            used += amount
            return true
        }
    }

    func release(_ amount: Int) { used.withLock { $0 -= amount } }
}
