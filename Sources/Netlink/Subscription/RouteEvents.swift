//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// Changes of links, addresses, routes, rules and nexthop objects, as the kernel announces them.
///
/// It is subscribed when it has been made: read the state after that, and nothing can be missed in between. Nothing is
/// buffered in the program: what is not read yet waits in the kernel's buffer, and when that overflows one `lost` takes the
/// place of what was dropped. Messages are hints, and of some changes there are none (see `MulticastGroup`).
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
    /// What there is to know.
    public enum Element: Hashable, Sendable {
        /// Something changed.
        case message(RouteNetlinkMessage)
        /// Events were lost or unreadable: read the state again.
        case lost
    }

    /// Why it may fail: the socket failed for good.
    public typealias Failure = NetlinkError

    private let source: RouteEventSource

    /// Subscribes.
    ///
    /// - Parameters:
    ///   - groups: what to hear.
    ///   - namespace: where; nil is the calling thread's network namespace.
    ///   - receiveBuffer: bytes to ask the kernel for, so that bursts are lost less often.
    /// - Throws: `system` when there is no netlink. Refused groups do not throw; see `refused`.
    public init(
        _ groups: [MulticastGroup] = MulticastGroup.routing, in namespace: NetworkNamespace? = nil,
        receiveBuffer: Int32 = 1 << 20
    ) throws(NetlinkError) {
        source = RouteEventSource(try NetlinkSubscription(groups, in: namespace, receiveBuffer: receiveBuffer))
    }

    /// The groups that the kernel or a sandbox refused, with its reason.
    public var refused: [MulticastGroup: NetlinkError] { source.refused }

    /// From now on hears only those route changes whose destination covers one of the addresses; all else as before.
    ///
    /// - Returns: false when the kernel cannot (too many addresses, no filters): everything is heard.
    @discardableResult
    public func limitRoutes(toThoseCovering addresses: some Collection<InetAddress>) -> Bool {
        source.limitRoutes(toThoseCovering: addresses)
    }

    /// A reader.
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
                if let event = try source.take() { return event }
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
#endif
