//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension NetworkDiagnostics {
    /// The reaction of a router of this machine.
    public struct RouterAnswer: Hashable, Sendable {
        /// How it ended.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It is there.
            case answers
            /// No device answers at its address.
            case silent
            /// It does not answer, but may be there: the link has no neighbor table, or a firewall drops the packets.
            case unclear
        }

        /// Its address, a link-local one with `%` and its interface.
        public var address: String
        /// How it ended.
        public var outcome: Outcome
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer.
        public init(_ address: String, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
    }

    /// The reaction of a name server.
    public struct NameServerAnswer: Hashable, Sendable {
        /// How it ended.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It answered the question, be it by saying that there is no such name.
            case answers
            /// It answered with an error such as `SERVFAIL` or `REFUSED` (RFC 1035, section 4.1.1).
            case fails
            /// No program listens there.
            case refuses
            /// Nothing came back.
            case silent
        }

        /// Its address.
        public var address: String
        /// How it ended.
        public var outcome: Outcome
        /// Whether it is this machine itself or on its own link, so that no router is on the way.
        public var isNearby: Bool
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer.
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
