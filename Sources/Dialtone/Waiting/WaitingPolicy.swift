//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What work waits for, over what it may go, how often it is tried, and when it is given up.
public struct WaitingPolicy: Hashable, Sendable {
    /// How much must be there before work begins.
    public enum Level: Hashable, Sendable {
        /// A path: packets can leave. Nothing is sent to find out.
        case path
        /// The Internet has answered over this path.
        case verified
        /// This host accepts a connection; its port is 443 unless the target names one.
        case host(HostTarget)
    }

    /// How much must be there; a path unless changed.
    public var level: Level
    /// Over what the work may go; anything unless changed.
    public var interfaces: InterfacePolicy
    /// How long after the call an attempt may begin; nil, the usual, is at any time.
    ///
    /// An attempt that has begun is not cut short: clients have timeouts of their own.
    public var deadline: Duration?
    /// How many attempts there may be, the first included; nil is any number, and 5 the usual.
    public var maximumAttempts: Int?
    /// The waits between an attempt and the next, where the network seems to be well.
    public var backoff: Backoff
    /// Whether doing the work twice is as good as once; false unless changed.
    ///
    /// Work that is not idempotent is tried again only when it provably never reached a server.
    public var isIdempotent: Bool

    /// Makes a policy.
    public init(
        _ level: Level = .path, interfaces: InterfacePolicy = InterfacePolicy(), deadline: Duration? = nil,
        maximumAttempts: Int? = 5, backoff: Backoff = Backoff(), isIdempotent: Bool = false
    ) {
        self.level = level
        self.interfaces = interfaces
        self.deadline = deadline
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.isIdempotent = isIdempotent
    }

    /// Finds the first value that cannot be.
    ///
    /// - Throws: which one, and why.
    public func validate() throws(WaitingPolicyError) {
        if let deadline { try WaitingPolicyError.check(deadline, "deadline") }
        if let maximumAttempts, maximumAttempts < 1 {
            throw WaitingPolicyError("maximumAttempts", "must be at least 1, not \(maximumAttempts)")
        }
        try backoff.validate()
        if let deadline, maximumAttempts != 1, backoff.longest > deadline, backoff.first > deadline {
            throw WaitingPolicyError(
                "backoff.first",
                "\(backoff.first) is longer than the deadline of \(deadline), so nothing could be retried")
        }
    }
}

/// A value of a policy that cannot be.
public typealias WaitingPolicyError = InvalidConfiguration

extension InvalidConfiguration {
    /// Accepts any time that is longer than nothing and that a clock can count.
    static func check(_ duration: Duration, _ field: String) throws(WaitingPolicyError) {
        guard duration > .zero else { throw WaitingPolicyError(field, "must be longer than nothing, not \(duration)") }
        guard duration <= longest else {
            throw WaitingPolicyError(field, "must not be longer than \(longest), as \(duration) is")
        }
    }

    /// A thousand years: more than anybody needs, and less than what a clock can count.
    private static let longest = Duration.seconds(1000 * 365 * 86_400)
}

extension WaitingPolicy {
    /// What is in the way of such work over a network like this; nil when nothing is.
    ///
    /// Whether a host accepts connections does not show in that.
    public func obstacle(in connectivity: Connectivity) -> WaitReason? {
        WaitRequirement(self).obstacle(in: connectivity)
    }
}
