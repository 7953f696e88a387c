// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

extension InternetCheck {
    /// A verdict and the evidence for it.
    public struct Report: Hashable, Sendable {
        /// The answer of the network's captive portal API.
        public struct CaptivePortalEvidence: Hashable, Sendable {
            /// The API's URL.
            public var url: String
            /// Its answer; nil when there is an error.
            public var state: CaptivePortalState?
            /// Why there is no valid answer.
            public var error: CaptivePortalError?

            /// Creates evidence.
            public init(url: String, state: CaptivePortalState? = nil, error: CaptivePortalError? = nil) {
                self.url = url
                self.state = state
                self.error = error
            }
        }

        /// The conclusion.
        public var verdict: Verdict
        /// When the check began.
        public var checkedAt: Date
        /// The duration of the check.
        public var duration: Duration
        /// The evidence of each endpoint, in the order of the configuration.
        public var endpoints: [Evidence]
        /// The answer of the captive portal API; nil without an API, or when the verdict did not wait for it.
        public var captivePortalAPI: CaptivePortalEvidence?
        /// The reason why nothing was sent, if no endpoint can be contacted.
        public var diagnosis: PathDiagnosis?

        /// Creates a report.
        public init(
            verdict: Verdict, checkedAt: Date, duration: Duration = .zero, endpoints: [Evidence] = [],
            captivePortalAPI: CaptivePortalEvidence? = nil, diagnosis: PathDiagnosis? = nil
        ) {
            self.diagnosis = diagnosis
            self.verdict = verdict
            self.checkedAt = checkedAt
            self.duration = duration
            self.endpoints = endpoints
            self.captivePortalAPI = captivePortalAPI
        }
    }
}
