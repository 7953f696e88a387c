//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

extension InternetCheck {
    /// A verdict and the evidence for it.
    public struct Report: Hashable, Sendable {
        /// What the network's captive portal API said.
        public struct CaptivePortalEvidence: Hashable, Sendable {
            /// The API's URL.
            public var url: String
            /// Its answer; nil when there is an error.
            public var state: CaptivePortalState?
            /// Why there is no answer that counts.
            public var error: CaptivePortalError?

            /// Makes evidence.
            public init(url: String, state: CaptivePortalState? = nil, error: CaptivePortalError? = nil) {
                self.url = url
                self.state = state
                self.error = error
            }
        }

        /// What the check came to.
        public var verdict: Verdict
        /// When it began.
        public var checkedAt: Date
        /// How long it took.
        public var duration: Duration
        /// What each endpoint contributed, in the order of the configuration.
        public var endpoints: [Evidence]
        /// What the captive portal API said; nil when there is none, or the verdict did not wait for it.
        public var captivePortalAPI: CaptivePortalEvidence?

        /// Makes a report.
        public init(
            verdict: Verdict, checkedAt: Date, duration: Duration = .zero, endpoints: [Evidence] = [],
            captivePortalAPI: CaptivePortalEvidence? = nil
        ) {
            self.verdict = verdict
            self.checkedAt = checkedAt
            self.duration = duration
            self.endpoints = endpoints
            self.captivePortalAPI = captivePortalAPI
        }
    }
}
