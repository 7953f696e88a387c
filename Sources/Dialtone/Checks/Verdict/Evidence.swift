// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

extension InternetCheck {
    /// The contribution of one endpoint to a verdict.
    public struct Evidence: Hashable, Sendable {
        /// How an endpoint's answer was classified.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Outcome: Hashable, Sendable {
            /// It answered as expected.
            case passed
            /// Its answer looks like a portal's, whose login page is at the URL.
            case portal(URL)
            /// It did not answer as expected, or could not be queried (`ProbeError.isInability`).
            case failed(ProbeError)
        }

        /// The duration of each step; nil for a step that was not reached or not needed.
        public struct Durations: Hashable, Sendable {
            /// Resolving the name.
            public var resolve: Duration?
            /// Connecting to the address that was used.
            public var connect: Duration?
            /// The time that passed before that, with attempts to connect to other addresses (RFC 8305); nil without any.
            public var delay: Duration?
            /// The TLS handshake, including a proxy's tunnel before it.
            public var tls: Duration?
            /// Sending the request and reading the header section.
            public var headers: Duration?
            /// Reading the body.
            public var body: Duration?
            /// All steps together, and the delay.
            public var total: Duration

            /// Creates durations.
            public init(
                resolve: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, headers: Duration? = nil,
                body: Duration? = nil, total: Duration = .zero
            ) {
                self.resolve = resolve
                self.connect = connect
                self.tls = tls
                self.headers = headers
                self.body = body
                self.total = total
            }
        }

        /// An attempt to connect that did not succeed.
        struct Attempt: Hashable, Sendable {
            /// The address that was tried.
            var address: NetworkAddress
            /// Why it failed; nil if another attempt was faster, or the time limit passed.
            var error: ProbeError?
            /// The time until it ended.
            var duration: Duration

            /// Creates an attempt, also for tests.
            init(_ address: NetworkAddress, _ error: ProbeError? = nil, after duration: Duration) {
                self.address = address
                self.error = error
                self.duration = duration
            }
        }

        /// The endpoint's URL, as configured.
        public var url: String
        /// The operator of the endpoint's host; nil if unknown.
        public var operatorName: String?
        /// How the answer was classified.
        public var outcome: Outcome
        /// The status of the answer.
        public var status: Int?
        /// The address that was connected to or, if no connection succeeded, the one tried last.
        public var address: NetworkAddress?
        /// The duration of each step.
        public var durations: Durations
        /// The URL of the proxy that the request went through, without user and password; nil without a proxy.
        ///
        /// The address is then the proxy's, which says nothing about the host's name.
        public var proxy: String?
        /// The attempts to connect that did not succeed, in the order in which they ended (RFC 8305).
        var failedAttempts: [Attempt] = []
        /// Whether the answer is the expected one with scripts added to its body.
        var hasAddedScripts = false
        /// Whether it tried first the IP version that the system prefers less.
        var reversesFamilies = false
        /// The packets that were sent and answered; nil if the system does not report it.
        var packets: SentPackets?

        /// Creates evidence.
        public init(
            url: String, operatorName: String? = nil, _ outcome: Outcome, status: Int? = nil,
            address: NetworkAddress? = nil, durations: Durations = Durations()
        ) {
            self.url = url
            self.operatorName = operatorName
            self.outcome = outcome
            self.status = status
            self.address = address
            self.durations = durations
        }

        /// Whether the endpoint answered as expected.
        public var passed: Bool { outcome == .passed }

        /// The login page, if the answer looks like a portal's.
        public var portal: URL? { if case .portal(let url) = outcome { url } else { nil } }

        /// Why the endpoint did not answer as expected; nil when it passed or showed a portal.
        public var error: ProbeError? { if case .failed(let error) = outcome { error } else { nil } }

        /// Whether the endpoint is queried over HTTPS.
        public var isSecure: Bool { url.prefix(6).lowercased() == "https:" }

        /// The version of the Internet Protocol that was used; nil without an address.
        public var family: NetworkAddress.Version? { address?.version }
    }
}

extension InternetCheck {
    /// Whether HTTPS took part in a check.
    ///
    /// Anyone on the path can forge a plain answer; only HTTPS proves that the answer came from the operator.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TLSProof: Hashable, Sendable {
        /// At least one HTTPS endpoint answered as expected, with a valid certificate.
        case verified
        /// HTTPS endpoints were queried, and none passed.
        case failed
        /// No HTTPS endpoint could be queried, for this reason.
        case notChecked(String)
    }
}

extension InternetCheck.TLSProof {
    /// Whether HTTPS took part in the check of some endpoints; nil without any.
    init?(_ endpoints: [InternetCheck.Evidence]) {
        guard !endpoints.isEmpty else { return nil }
        let secure = endpoints.filter(\.isSecure)
        let errors = secure.compactMap(\.error)
        if secure.isEmpty {
            self = .notChecked("no HTTPS endpoint is configured")
        } else if secure.contains(where: \.passed) {
            self = .verified
        } else if !errors.allSatisfy(\.isInability) {
            self = .failed
        } else if let unable = errors.first(where: { ![.abandoned, .cancelled].contains($0.code) }) {
            self = .notChecked(unable.message.isEmpty ? "\(unable.code)" : unable.message)
        } else {
            // The verdict may have been reached before some answered; another reason says more.
            self = .notChecked("the check ended before HTTPS answered")
        }
    }

    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .verified: "verified"
        case .failed: "failed"
        case .notChecked: "notChecked"
        }
    }

    /// Why HTTPS took no part; nil if it did.
    public var reason: String? { if case .notChecked(let reason) = self { reason } else { nil } }
}
