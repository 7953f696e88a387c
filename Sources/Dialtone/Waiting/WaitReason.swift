//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What work waits for.
public enum WaitReason: Hashable, Sendable {
    /// There is no path; the diagnosis says why, where that is known.
    case offline(PathDiagnosis?)
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path, but the policy forbids it.
    case notAllowed(InterfacePolicy.Restriction)
    /// There is a path, but nobody knows yet whether it leads to the Internet.
    case unverified
    /// The network wants a login first.
    case captivePortal
    /// There is a path, but the Internet cannot be reached over it.
    case noInternet
    /// The host cannot be reached.
    case hostUnreachable(HostError?)
}

extension WaitReason: CustomStringConvertible {
    /// One plain sentence for a person.
    public var description: String {
        switch self {
        case .offline(let diagnosis): diagnosis?.description ?? "There is no path."
        case .requiresConnection: "A link waits to be used."
        case .notAllowed(.cellular): "Only a mobile network is there, which may not be used."
        case .notAllowed(.expensive): "Only an expensive network is there, which may not be used."
        case .notAllowed(.constrained): "Only a network that should carry little data is there, which may not be used."
        case .unverified: "There is a path, but the Internet has not answered yet."
        case .captivePortal: "The network wants a login first."
        case .noInternet: "There is a path, but the Internet cannot be reached."
        case .hostUnreachable(let error): error?.description ?? "The host cannot be reached."
        }
    }
}

/// What to do when a wait begins.
public enum WaitDecision: Hashable, Sendable {
    /// Waits.
    case keepWaiting
    /// Gives up, because nobody will want the result by then.
    case giveUpAsStale
}

/// Why work was not done, or not tried again.
public struct WaitingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How the wait ended.
    ///
    /// New ones may come with any version, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case deadlinePassed, stale }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The policy's deadline came before connectivity.
        public static let deadlinePassed = Self(.deadlinePassed)
        /// The waiting callback gave the work up.
        public static let stale = Self(.stale)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// How the wait ended.
    public let code: Code
    /// What was waited for last; nil when it was the time between two attempts.
    public let reason: WaitReason?
    /// How the last attempt failed; nil when there was none.
    public let failure: RequestFailure?
    /// How many attempts there were.
    public let attempts: Int

    /// Makes an error, for tests and waits of one's own too.
    public init(_ code: Code, reason: WaitReason? = nil, failure: RequestFailure? = nil, attempts: Int = 0) {
        self.code = code
        self.reason = reason
        self.failure = failure
        self.attempts = attempts
    }

    /// One sentence for a person or a log.
    public var description: String {
        let why = reason.map { " \($0)" } ?? ""
        return switch code {
        case .stale: "Given up as stale.\(why)"
        default: "The deadline has passed.\(why)"
        }
    }
}

extension WaitingError: RequestFailureConvertible {
    /// What it means: time is over, or nobody wants it any more.
    public var requestFailure: RequestFailure {
        let mayHaveReached = failure?.mayHaveReachedServer ?? false
        return RequestFailure(code == .stale ? .cancelled : .timedOut, mayHaveReachedServer: mayHaveReached)
    }
}
