// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension InternetCheck {
    /// What a check concludes, and the evidence for it.
    public struct Report: Hashable, Sendable {
        /// The answer of the network's captive portal API.
        public struct CaptivePortalEvidence: Hashable, Sendable {
            /// The API's URL.
            public var url: String
            /// Its answer; nil when there is an error.
            public var state: CaptivePortalState?
            /// Why there is no valid answer.
            public var error: ProbeError?

            /// Creates evidence.
            public init(url: String, state: CaptivePortalState? = nil, error: ProbeError? = nil) {
                self.url = url
                self.state = state
                self.error = error
            }
        }

        /// What the answers amount to, as far as silence proves it.
        package var verdict: Verdict {
            // A program's assertion does not follow from the answers.
            didSet {
                answers = nil
                hasQuorum = false
                limit = nil
                assertedState = nil
            }
        }
        /// The state that a program asserted, if it is one of the two between which the answers decide; nil in the report of a check.
        var assertedState: ConnectivityState?
        /// When the check began.
        public var checkedAt: Date
        /// The duration of the check.
        public var duration: Duration
        /// The evidence of each endpoint, in the order of the configuration.
        public var endpoints: [Evidence]
        /// The answer of the captive portal API; nil without an API, or when the verdict did not wait for it.
        public var captivePortalAPI: CaptivePortalEvidence? {
            get { statement }
            set { statement = newValue }
        }
        @Boxed private var statement: CaptivePortalEvidence?
        /// The reason why nothing was sent, if no endpoint can be contacted.
        public var diagnosis: PathDiagnosis?
        /// How the nearer hops responded; nil if they were not asked.
        public var hops: Hops?
        /// The answers of addresses of an IP version that was outpaced or failed; empty if it was not tried on its own.
        var familyAnswers: [AddressAnswer] = []
        /// What a second operator shows by the IP version by which another one alone shows a login page; nil if it was not queried.
        @Boxed var secondPage: Evidence?
        /// What the answers of the endpoints amount to, be it by too short a silence; nil for a report that no check made.
        var answers: Verdict?
        /// Whether enough endpoints passed, if `answers` count the silence of the others against it.
        var hasQuorum = false
        /// The time limit of a check whose silence is judged; nil if it is not.
        var limit: Duration?
        /// The time since the first of the successive checks that ended in silence, with this one.
        var silence = Duration.zero
        /// Whether an earlier check has proven the Internet over this network, since its link came up.
        var wasProven = false
        /// Whether an outage began or ended during the check: questions that were asked in the outage waited for its end.
        var metOutage = false

        /// Creates the report of a check of your own, or for tests and previews.
        ///
        /// - Parameters:
        ///   - state: `online`, `captivePortal`, `limited`, `noInternet`, or `unverified` if the check could not find out; the other
        ///     states are those of a path, and count as `unverified`.
        ///   - cause: why the state is `limited` or `noInternet`, if the answers have such a name: from `hijackedNames` to `timedOut`
        ///     in `docs/causes.md`. Where `endpoints` or `hops` show more, they decide.
        ///   - portal: the login page. `captivePortal` without one counts as `limited`.
        ///   - checkedAt: when the check began.
        ///   - duration: the duration of the check.
        ///   - endpoints: the evidence of each endpoint.
        ///   - hops: how the nearer hops responded.
        public init(
            _ state: ConnectivityState, cause: ConnectivityCause? = nil, portal: URL? = nil, checkedAt: Date,
            duration: Duration = .zero, endpoints: [Evidence] = [], hops: Hops? = nil
        ) {
            let reason = cause.flatMap { NoInternetReason(rawValue: $0.rawValue) }
            let verdict: Verdict =
                switch state {
                case .online: .verified
                case .captivePortal: portal.map { .captivePortal($0) } ?? .partial
                case .limited where reason == nil: .partial
                case .limited, .noInternet: .noInternet(reason ?? .timedOut)
                default: .inconclusive
                }
            self.init(verdict: verdict, checkedAt: checkedAt, duration: duration, endpoints: endpoints, hops: hops)
            if state.isPassing { assertedState = state }
        }

        /// Creates a report.
        package init(
            verdict: Verdict, checkedAt: Date, duration: Duration = .zero, endpoints: [Evidence] = [],
            captivePortalAPI: CaptivePortalEvidence? = nil, diagnosis: PathDiagnosis? = nil, hops: Hops? = nil
        ) {
            self.hops = hops
            self.diagnosis = diagnosis
            self.verdict = verdict
            self.checkedAt = checkedAt
            self.duration = duration
            self.endpoints = endpoints
            self.captivePortalAPI = captivePortalAPI
        }
    }
}

/// The `internet` object of the JSON that `dialtone` prints. A contract: fields are added, never changed or removed.
///
/// Every field is always present, null when it has no value. Durations are milliseconds.
extension InternetCheck.Report: Encodable {
    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        // The verdict and its reason are older than state and cause.
        try encoder.encode([
            "verdict": verdict.reportName, "portal": verdict.portal?.absoluteString, "reason": verdict.reason?.rawValue,
            "checkedAt": checkedAt.iso8601, "milliseconds": duration.milliseconds, "endpoints": endpoints,
            "captivePortalAPI": captivePortalAPI, "diagnosis": diagnosis?.reason.rawValue, "remarks": remarks,
            "tls": tls?.reportName, "tlsReason": tls?.reason, "hops": hops,
        ])
    }
}

extension InternetCheck.Evidence: Encodable {
    /// Writes one element of `endpoints`.
    public func encode(to encoder: any Encoder) throws {
        let failure = error.map {
            EncodedObject(["step": $0.step.rawValue, "code": $0.code.description, "message": $0.message])
        }
        try encoder.encode([
            "url": url, "operator": operatorName, "passed": passed, "portal": portal?.absoluteString, "status": status,
            "address": address?.description, "family": family?.rawValue, "milliseconds": durations,
            "error": failure, "proxy": proxy,
        ])
    }
}

extension InternetCheck.Evidence.Durations: Encodable {
    /// Writes the steps in milliseconds.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "resolve": resolve?.milliseconds, "delay": delay?.milliseconds,
            "connect": connect?.milliseconds, "tls": tls?.milliseconds,
            "headers": headers?.milliseconds, "body": body?.milliseconds, "total": total.milliseconds,
        ])
    }
}

extension InternetCheck.Report.CaptivePortalEvidence: Encodable {
    /// Writes the `captivePortalAPI` object.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "url": url, "captive": state?.isCaptive, "portal": state?.userPortal?.absoluteString,
            "venue": state?.venueInfo?.absoluteString, "canExtendSession": state?.canExtendSession,
            "secondsRemaining": state?.remainingTime?.components.seconds, "bytesRemaining": state?.remainingBytes,
            "error": error?.description,
        ])
    }
}

extension InternetCheck.Report {
    /// Whether HTTPS took part in the check, and why not; nil for a report without evidence.
    public var tls: InternetCheck.TLSProof? { InternetCheck.TLSProof(endpoints) }
}
