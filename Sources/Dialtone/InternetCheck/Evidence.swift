//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

extension InternetCheck {
    /// What one endpoint contributed.
    public struct Evidence: Hashable, Sendable {
        /// How long each step took; nil for a step that was not reached or not needed.
        public struct Durations: Hashable, Sendable {
            /// Resolving the name.
            public var resolve: Duration?
            /// Connecting.
            public var connect: Duration?
            /// The TLS handshake, and before it asking a proxy for a tunnel.
            public var tls: Duration?
            /// Sending the request and reading the header section.
            public var headers: Duration?
            /// Reading the body.
            public var body: Duration?
            /// All of it.
            public var total: Duration

            /// Makes durations.
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
        /// Whether it answered as expected.
        public var passed: Bool
        /// Where its answer points for a login, when it is a portal's.
        public var portal: URL?
        /// The status of its answer.
        public var status: Int?
        /// The address that was connected to or, when none was, the one tried last.
        public var address: HostAddress?
        /// How long it took.
        public var durations: Durations
        /// Why it did not answer as expected; nil when it passed or showed a portal.
        public var error: ProbeError?

        /// Makes evidence.
        public init(
            url: String, passed: Bool, portal: URL? = nil, status: Int? = nil, address: HostAddress? = nil,
            durations: Durations = Durations(), error: ProbeError? = nil
        ) {
            self.url = url
            self.passed = passed
            self.portal = portal
            self.status = status
            self.address = address
            self.durations = durations
            self.error = error
        }

        /// The version of the Internet Protocol that was used; nil when no address was.
        public var family: IPVersion? { address?.version }
    }
}
