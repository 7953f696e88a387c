//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension LineCheckup {
    /// What a router of this machine answered.
    public struct RouterAnswer: Hashable, Sendable {
        /// How it ended.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It is there.
            case answers
            /// Nobody answers at its address.
            case silent
            /// It does not answer, but whether it is there cannot be told: a link without neighbours, or a firewall.
            case unclear
        }

        /// Its address, a link-local one with `%` and its interface.
        public var address: String
        /// How it ended.
        public var outcome: Outcome
        /// How long that took.
        public var duration: Duration

        /// Makes an answer.
        public init(_ address: String, _ outcome: Outcome, after duration: Duration = .zero) {
            (self.address, self.outcome, self.duration) = (address, outcome, duration)
        }
    }

    /// What a name server answered.
    public struct NameServerAnswer: Hashable, Sendable {
        /// How it ended.
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It answered the question, be it by saying that there is no such name.
            case answers
            /// It answered that it could not or would not find out (`SERVFAIL`, `REFUSED` and the like; RFC 1035, section 4.1.1).
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
        /// How long that took.
        public var duration: Duration

        /// Makes an answer.
        public init(_ address: String, _ outcome: Outcome, isNearby: Bool, after duration: Duration = .zero) {
            (self.address, self.outcome, self.isNearby, self.duration) = (address, outcome, isNearby, duration)
        }
    }
}
