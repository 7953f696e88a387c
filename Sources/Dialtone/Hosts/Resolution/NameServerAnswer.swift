// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// How a name server responded.
    public struct NameServerAnswer: Hashable, Sendable {
        /// How a name server reacted.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It answered the query, or answered that the name does not exist.
            case answers
            /// It answered with an error such as `SERVFAIL` or `REFUSED` (RFC 1035, section 4.1.1).
            case fails
            /// Nothing listens on its port 53.
            case refuses
            /// This machine or a router has no route to it, its link does not answer, or a firewall of this machine forbids it.
            case unreachable
            /// It did not answer.
            case silent
        }

        /// The name server.
        public var server: NetworkAddress
        /// How it reacted.
        public var outcome: Outcome
        /// Whether it is this machine or on one of its links, so that no router is in between.
        public var isNearby: Bool
        /// The tunnel that leads to it; nil if none does.
        var tunnel: String?
        /// The time until the outcome.
        public var duration: Duration

        /// Whether it sent a reply, be it an error or a refusal.
        var hasReplied: Bool { [.answers, .fails, .refuses].contains(outcome) }

        /// Creates an answer, also for tests.
        public init(_ server: NetworkAddress, _ outcome: Outcome, isNearby: Bool, after duration: Duration = .zero) {
            self.server = server
            self.outcome = outcome
            self.isNearby = isNearby
            self.duration = duration
        }
    }
}
