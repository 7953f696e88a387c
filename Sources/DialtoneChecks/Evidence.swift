// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

extension InternetCheck {
    /// The contribution of one endpoint to a verdict.
    public struct Evidence: Hashable, Sendable {
        /// How an endpoint's answer was classified.
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
            /// Connecting.
            public var connect: Duration?
            /// The TLS handshake, including a proxy's tunnel before it.
            public var tls: Duration?
            /// Sending the request and reading the header section.
            public var headers: Duration?
            /// Reading the body.
            public var body: Duration?
            /// All steps together.
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
        public var portal: URL? {
            if case .portal(let url) = outcome { url } else { nil }
        }

        /// Why the endpoint did not answer as expected; nil when it passed or showed a portal.
        public var error: ProbeError? {
            if case .failed(let error) = outcome { error } else { nil }
        }

        /// Whether the endpoint is queried over HTTPS.
        public var isSecure: Bool { url.prefix(6).lowercased() == "https:" }

        /// The version of the Internet Protocol that was used; nil without an address.
        public var family: IPVersion? { address?.version }
    }
}
