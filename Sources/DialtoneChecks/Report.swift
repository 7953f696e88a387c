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

/// The `internet` object of the JSON that `dialtone` prints. A contract: fields are added, never changed or removed.
///
/// Every field is always present, null when it has no value. Durations are milliseconds.
extension InternetCheck.Report: Encodable {
    private enum Key: String, CodingKey {
        case verdict, portal, reason, checkedAt, milliseconds, endpoints, captivePortalAPI, diagnosis, remarks
        case tls, tlsReason
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(verdict.reportName, forKey: .verdict)
        try object.encode(verdict.portal?.absoluteString, forKey: .portal)
        try object.encode(verdict.reason?.rawValue, forKey: .reason)
        try object.encode(
            checkedAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .checkedAt)
        try object.encode(duration.milliseconds, forKey: .milliseconds)
        try object.encode(endpoints, forKey: .endpoints)
        try object.encode(captivePortalAPI, forKey: .captivePortalAPI)
        try object.encode(diagnosis?.reason.rawValue, forKey: .diagnosis)
        try object.encode(remarks, forKey: .remarks)
        try object.encode(tls?.reportName, forKey: .tls)
        try object.encode(tls?.reason, forKey: .tlsReason)
    }
}

extension InternetCheck.Remark: Encodable {
    private enum Key: String, CodingKey {
        case operatorName = "operator"
        case url, status, portal, message
    }

    /// Writes one element of `remarks`; `operator` is null for the captive portal API.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(operatorName, forKey: .operatorName)
        try object.encode(url, forKey: .url)
        try object.encode(status, forKey: .status)
        try object.encode(portal?.absoluteString, forKey: .portal)
        try object.encode(description, forKey: .message)
    }
}

extension InternetCheck.Evidence: Encodable {
    private enum Key: String, CodingKey {
        case operatorName = "operator"
        case url, passed, portal, status, address, family, milliseconds, error, proxy
    }

    /// Writes one element of `endpoints`.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(url, forKey: .url)
        try object.encode(operatorName, forKey: .operatorName)
        try object.encode(passed, forKey: .passed)
        try object.encode(portal?.absoluteString, forKey: .portal)
        try object.encode(status, forKey: .status)
        try object.encode(address?.description, forKey: .address)
        try object.encode(family?.rawValue, forKey: .family)
        try object.encode(durations, forKey: .milliseconds)
        try object.encode(error.map(ErrorReport.init), forKey: .error)
        try object.encode(proxy, forKey: .proxy)
    }

    private struct ErrorReport: Encodable {
        let step: String
        let code: String
        let message: String

        init(_ error: ProbeError) {
            step = error.step.rawValue
            code = error.code.description
            message = error.message
        }
    }
}

extension InternetCheck.Evidence.Durations: Encodable {
    private enum Key: String, CodingKey { case resolve, connect, tls, headers, body, total }

    /// Writes the steps in milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(resolve?.milliseconds, forKey: .resolve)
        try object.encode(connect?.milliseconds, forKey: .connect)
        try object.encode(tls?.milliseconds, forKey: .tls)
        try object.encode(headers?.milliseconds, forKey: .headers)
        try object.encode(body?.milliseconds, forKey: .body)
        try object.encode(total.milliseconds, forKey: .total)
    }
}

extension InternetCheck.Report.CaptivePortalEvidence: Encodable {
    private enum Key: String, CodingKey {
        case url, captive, portal, venue, canExtendSession, secondsRemaining, bytesRemaining, error
    }

    /// Writes the `captivePortalAPI` object.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(url, forKey: .url)
        try object.encode(state?.isCaptive, forKey: .captive)
        try object.encode(state?.userPortal?.absoluteString, forKey: .portal)
        try object.encode(state?.venueInfo?.absoluteString, forKey: .venue)
        try object.encode(state?.canExtendSession, forKey: .canExtendSession)
        try object.encode(state?.remainingTime?.components.seconds, forKey: .secondsRemaining)
        try object.encode(state?.remainingBytes, forKey: .bytesRemaining)
        try object.encode(error?.description, forKey: .error)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded to a tenth.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1e3 + Double(attoseconds) / 1e15) * 10).rounded() / 10
    }
}
