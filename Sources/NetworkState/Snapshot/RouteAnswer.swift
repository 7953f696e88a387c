//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// What the kernel said to one question, where a packet to an address would go.
public struct RouteAnswer: Hashable, Sendable {
    /// The address that was asked about.
    public var destination: InetAddress
    /// The answer.
    public var outcome: Outcome

    /// The kernel's answers.
    public enum Outcome: Hashable, Sendable {
        /// By this route.
        case route(FoundRoute)
        /// Nowhere: no route matches, or a rule says unreachable.
        case noRoute
        /// Nowhere, by an explicit `unreachable`, `prohibit` or `blackhole`.
        case rejected
    }

    /// Makes an answer.
    public init(_ destination: InetAddress, _ outcome: Outcome) {
        self.destination = destination
        self.outcome = outcome
    }
}

/// The part of a matching route that matters, without what ticks.
public struct FoundRoute: Hashable, Sendable {
    /// The length of the prefix that matched: 0 for a default route.
    public var prefixLength: UInt8
    /// The metric; smaller is preferred.
    public var priority: UInt32
    /// Unicast, local and so on.
    public var type: RouteType
    /// Where packets go.
    public var nextHops: [NextHop]
    /// The source address that the route asks for.
    public var preferredSource: InetAddress?

    /// Makes a route.
    public init(
        prefixLength: UInt8 = 0, priority: UInt32 = 0, type: RouteType = .unicast, nextHops: [NextHop],
        preferredSource: InetAddress? = nil
    ) {
        self.prefixLength = prefixLength
        self.priority = priority
        self.type = type
        self.nextHops = nextHops
        self.preferredSource = preferredSource
    }
}

extension RouteAnswer {
    /// Reads the kernel's answer to a lookup.
    ///
    /// - Throws: `kernel` when it does not tell whether there is a route: a kernel that is short of memory must not
    ///   look like a network that is gone.
    init(_ destination: InetAddress, _ result: Result<RouteMessage, Errno>) throws(NetlinkError) {
        switch result {
        case .success(let route):
            let found = FoundRoute(
                prefixLength: route.destinationLength, priority: route.priority ?? 0, type: route.type,
                nextHops: route.nextHops, preferredSource: route.preferredSource)
            self.init(destination, .route(found))
        case .failure(.hostUnreachable), .failure(.permissionDenied), .failure(.invalidArgument):
            self.init(destination, .rejected)
        // A kernel without IPv6 does not support the question about it.
        case .failure(let errno)
        where errno.saysNothingOfRoutes && (errno != .notSupported || destination.family == .ipv4):
            throw NetlinkError(.kernel, operation: "RTM_GETROUTE \(destination)", errno: errno)
        case .failure:
            self.init(destination, .noRoute)
        }
    }
}

extension Errno {
    /// The kernel could not answer, whatever the answer is.
    fileprivate var saysNothingOfRoutes: Bool {
        [.noBufferSpace, .noMemory, .wouldBlock, .notSupported].contains(self)
    }
}

/// The kernel's answers for the representative addresses.
public struct RoutingAnswers: Hashable, Sendable {
    /// For a packet that may leave by any link.
    public var general: [RouteAnswer]
    /// For a packet that must leave by a certain link, where that was worth asking.
    public var byInterface: [Int32: [RouteAnswer]]

    /// Makes answers.
    public init(general: [RouteAnswer] = [], byInterface: [Int32: [RouteAnswer]] = [:]) {
        self.general = general
        self.byInterface = byInterface
    }
}
