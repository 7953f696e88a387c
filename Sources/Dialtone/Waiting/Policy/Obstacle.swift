// SPDX-License-Identifier: Apache-2.0

extension WaitingPolicy {
    /// What an operation waits for to go away.
    ///
    /// Its description is one sentence for a user. Where the network is the obstacle, it is `Connectivity.reason`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Obstacle: Hashable, Sendable {
        /// There is no path; the diagnosis says why, if that is known.
        case offline(PathDiagnosis?)
        /// There is no path, but connecting would bring one up. The value is the sentence.
        case requiresConnection(String)
        /// There is a path, but the policy forbids it.
        case notAllowed(InterfacePolicy.Restriction)
        /// It is not known whether the path leads to the Internet. The value is the sentence.
        case unverified(String)
        /// The network requires a login first.
        case captivePortal
        /// The Internet cannot be reached over the path or through the proxy. The value is the sentence.
        case noInternet(String)
        /// The host cannot be reached.
        case hostUnreachable(HostError?)
    }
}

extension WaitingPolicy.Obstacle: CustomStringConvertible {
    /// One sentence that describes the reason to a user.
    public var description: String {
        switch self {
        case .offline(let diagnosis): diagnosis?.description ?? GeneralReason.noPath
        case .requiresConnection(let sentence), .unverified(let sentence), .noInternet(let sentence): sentence
        case .notAllowed(.cellular): "Only a cellular network is available, and it is not allowed."
        case .notAllowed(.expensive): "Only an expensive network is available, and it is not allowed."
        case .notAllowed(.constrained): "Only a network in low data mode is available, and it is not allowed."
        case .notAllowed(.ultraConstrained):
            "Only a network that carries very little data is available, and it is not allowed."
        case .captivePortal: GeneralReason.login
        case .hostUnreachable(let error): error?.description ?? "The host cannot be reached."
        }
    }
}

/// The decision of a waiting callback: whether to keep waiting.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum WaitDecision: Hashable, Sendable {
    /// Keep waiting.
    case keepWaiting
    /// Give up, because the result would arrive too late to be useful.
    case giveUpAsStale
}

/// The reason why an operation was not run, or not retried.
public struct WaitingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The way in which the wait ended.
    ///
    /// Any version may add codes, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The policy's deadline passed before connectivity was available.
        public static let deadlinePassed = Self("deadlinePassed")
        /// The waiting callback gave up the operation as stale.
        public static let stale = Self("stale")
    }

    /// The way in which the wait ended.
    public let code: Code
    /// The last obstacle; nil if the operation was waiting between two attempts.
    public let obstacle: WaitingPolicy.Obstacle?
    /// The failure of the last attempt; nil if there was no attempt.
    public let failure: RequestFailure?
    /// The number of attempts.
    public let attempts: Int

    /// Creates an error, also for tests and for waits outside this library.
    public init(
        _ code: Code, obstacle: WaitingPolicy.Obstacle? = nil, failure: RequestFailure? = nil, attempts: Int = 0
    ) {
        self.code = code
        self.obstacle = obstacle
        self.failure = failure
        self.attempts = attempts
    }

    /// The last obstacle in one sentence for a user; nil if the operation was waiting between two attempts.
    public var reason: String? { obstacle?.description }

    /// One sentence for a user or a log.
    public var description: String {
        let why = reason.map { " \($0)" } ?? ""
        return switch code {
        case .stale: "Given up as stale.\(why)"
        default: "The deadline has passed.\(why)"
        }
    }
}

extension WaitingError: RequestFailureConvertible {
    /// The failure that this error represents: a timeout, or a cancellation.
    public var requestFailure: RequestFailure {
        let mayHaveReached = failure?.mayHaveReachedServer ?? false
        return RequestFailure(code == .stale ? .cancelled : .timedOut, mayHaveReachedServer: mayHaveReached)
    }
}
