// SPDX-License-Identifier: Apache-2.0

/// The conditions under which an operation runs: level of connectivity, interfaces, attempts and deadline.
public struct WaitingPolicy: Hashable, Sendable {
    /// The level of connectivity that an operation requires.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Level: Hashable, Sendable {
        /// A path: packets can leave this machine. Nothing is sent to check it.
        case path
        /// The Internet has answered over this path.
        case verified
        /// This host accepts a connection; its port is 443 unless the target names one.
        case host(HostTarget)
    }

    /// The required level; a path by default.
    public var level: Level
    /// The networks that the operation may use; all by default.
    public var interfaces: InterfacePolicy
    /// The time limit for the start of an attempt, measured from the call; nil, the default, is no limit.
    ///
    /// An attempt that has started is not cut short: clients have their own timeouts.
    public var deadline: Duration?
    /// The number of attempts, including the first; nil is unlimited; 5 by default.
    public var maximumAttempts: Int?
    /// The waits between attempts while the network seems to work.
    public var backoff: WaitingPolicy.Backoff
    /// Whether running the operation twice has the same effect as once; false by default.
    ///
    /// An operation that is not idempotent is retried only if it provably never reached a server.
    public var isIdempotent: Bool
    /// The host that the operation connects to: the server, or its proxy; nil, the default, if it is unknown.
    ///
    /// If a connection cannot be established, the route to this host and the lookup of its name show whether the network
    /// could carry it; if so, the failure counts as an attempt. A failed connection to another host shows that a server has
    /// redirected the operation. Policies for requests set it, and for the route a policy with the level `host` does not
    /// need it.
    public var contact: HostTarget?

    /// Creates a policy; omitted arguments have the documented defaults.
    public init(
        _ level: Level = .path, interfaces: InterfacePolicy = InterfacePolicy(), deadline: Duration? = nil,
        maximumAttempts: Int? = 5, backoff: WaitingPolicy.Backoff = WaitingPolicy.Backoff(), isIdempotent: Bool = false
    ) {
        self.level = level
        self.interfaces = interfaces
        self.deadline = deadline
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.isIdempotent = isIdempotent
    }

    /// Checks every value.
    ///
    /// - Throws: the first invalid value, with the reason.
    package func validate() throws(InvalidConfiguration) {
        if let deadline { try InvalidConfiguration.check(deadline, "deadline") }
        if let maximumAttempts, maximumAttempts < 1 {
            throw InvalidConfiguration("maximumAttempts", "must be at least 1, not \(maximumAttempts)")
        }
        try backoff.validate()
        if let deadline, maximumAttempts != 1, backoff.longest > deadline, backoff.first > deadline {
            throw InvalidConfiguration(
                "backoff.first",
                "\(backoff.first) is longer than the deadline of \(deadline), so nothing could be retried")
        }
    }
}

extension InvalidConfiguration {
    /// Accepts any positive duration that a clock can count, and zero only if it has a meaning.
    static func check(_ duration: Duration, _ field: String, mayBeZero: Bool = false) throws(InvalidConfiguration) {
        guard duration > .zero || mayBeZero && duration == .zero else {
            let problem = mayBeZero ? "must not be negative, but is" : "must be longer than 0, not"
            throw InvalidConfiguration(field, "\(problem) \(duration)")
        }
        guard duration <= longest else {
            throw InvalidConfiguration(field, "must be at most \(longest), not \(duration)")
        }
    }

    /// A thousand years: more than is useful, and within the range of a clock.
    private static let longest = Duration.seconds(1000 * 365 * 86_400)
}

extension WaitingPolicy {
    /// The obstacle to an operation with this policy, for a given connectivity; nil without an obstacle.
    ///
    /// It does not cover whether a host accepts connections.
    public func obstacle(in connectivity: Connectivity) -> WaitingPolicy.Obstacle? {
        WaitRequirement(self).obstacle(in: connectivity)
    }
}

extension WaitingPolicy.Level {
    /// A host that is written in the program, such as `.host("example.com")`.
    ///
    /// A literal that is no host is an error of the program, and traps. For text from elsewhere, use `HostTarget(_:)`.
    public static func host(_ literal: StaticString) -> Self {
        do {
            return .host(try HostTarget(literal.description))
        } catch {
            preconditionFailure("\(literal): \(error)")
        }
    }
}

/// The kinds of networks that an operation may use.
public struct InterfacePolicy: Hashable, Sendable {
    /// Whether the operation may use a mobile network.
    public var allowsCellular: Bool
    /// Whether the operation may use a network that charges by volume.
    public var allowsExpensive: Bool
    /// Whether the operation may use a network in low data mode.
    public var allowsConstrained: Bool
    /// Whether the operation may use a network that carries very little data, such as a satellite's.
    public var allowsUltraConstrained: Bool

    /// Creates a policy; without arguments it allows all networks.
    public init(
        allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true,
        allowsUltraConstrained: Bool = true
    ) {
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
        self.allowsUltraConstrained = allowsUltraConstrained
    }

    /// A property of networks that a policy can forbid.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Restriction: String, Hashable, Sendable, CaseIterable {
        /// The path is a mobile network.
        case cellular
        /// Data is charged by volume.
        case expensive
        /// The network is in low data mode.
        case constrained
        /// The network carries very little data.
        case ultraConstrained
    }

    /// The reason why this policy forbids a path; nil for an allowed path.
    ///
    /// If there are several reasons, it is the first in the order of Apple's `URLError.NetworkUnavailableReason`.
    public func restriction(of path: NetworkPath) -> Restriction? {
        if !allowsCellular, path.usedInterfaceTypes.contains(.cellular) { return .cellular }
        if !allowsExpensive, path.isExpensive { return .expensive }
        if !allowsConstrained, path.isConstrained { return .constrained }
        if !allowsUltraConstrained, path.isUltraConstrained { return .ultraConstrained }
        return nil
    }
}
