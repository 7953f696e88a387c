// SPDX-License-Identifier: Apache-2.0

extension NetworkDiagnostics {
    /// How one of this machine's routers responded.
    public struct RouterAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// The router answers.
            case answers
            /// No device answers at its address.
            case silent
            /// It does not answer, but may be present: the link has no neighbor table, or a firewall drops the packets.
            case unclear
        }

        /// Its address; a link-local address ends with `%` and the interface.
        public var address: String
        /// The outcome.
        public var outcome: Outcome
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: String, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
    }

    /// How a name server responded.
    public struct NameServerAnswer: Hashable, Sendable {
        /// The outcome.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It answered the query, or answered that the name does not exist.
            case answers
            /// It answered with an error such as `SERVFAIL` or `REFUSED` (RFC 1035, section 4.1.1).
            case fails
            /// Nothing listens on its port 53.
            case refuses
            /// It did not answer.
            case silent
        }

        /// Its address.
        public var address: String
        /// The outcome.
        public var outcome: Outcome
        /// Whether it is this machine or on one of its links, so that no router is in between.
        public var isNearby: Bool
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, for tests.
        public init(_ address: String, _ outcome: Outcome, isNearby: Bool, after duration: Duration = .zero) {
            (self.address, self.outcome, self.isNearby, self.duration) = (address, outcome, isNearby, duration)
        }
    }
}

extension NetworkDiagnostics.NameServerAnswer.Outcome {
    init(_ outcome: NameServerProbe.Outcome) {
        switch outcome {
        case .answers: self = .answers
        case .fails: self = .fails
        case .refuses: self = .refuses
        case .silent, .unreachable: self = .silent
        }
    }
}
