//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension InternetCheck {
    /// What is asked, how, and how long.
    public struct Configuration: Sendable {
        /// Which addresses of a host are used.
        public enum Family: String, Hashable, Sendable, CaseIterable {
            /// IPv6 and IPv4, whichever connects first (RFC 8305).
            case any
            /// IPv4 only.
            case ipv4
            /// IPv6 only.
            case ipv6
        }

        /// What the sockets are tied to.
        ///
        /// Names are resolved by the system's rules whatever this says.
        public enum Binding: Hashable, Sendable {
            /// Nothing: the system chooses the way.
            case none
            /// An interface, by `SO_BINDTODEVICE`; kernels before 5.7 let only root do that, and the evidence says so.
            case interface(String)
            /// An interface, or where that is not permitted its address; routing may then still choose another way.
            case interfaceOrItsAddress(String)
        }

        /// Whether the environment's proxies are used.
        public enum Proxies: Hashable, Sendable {
            /// They are not: the question is whether the line is alive, and a proxy may answer from its memory.
            case bypass
            /// They are: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as curl(1) reads them.
            ///
            /// Right where a proxy is the only way out. Only HTTP proxies are spoken to.
            case environment
        }

        /// Where the network's captive portal API (RFC 8908) is looked for.
        public enum CaptivePortalAPI: Hashable, Sendable {
            /// Nowhere.
            case off
            /// In what systemd-networkd learned from the network (RFC 8910).
            case discover
            /// At this URL, which must be `https`.
            case url(String)
        }

        /// How long each step of a probe may take.
        public struct Timeouts: Hashable, Sendable {
            /// Resolving the name.
            public var resolve: Duration
            /// Connecting, over all addresses of the host.
            public var connect: Duration
            /// The TLS handshake.
            public var tls: Duration
            /// Sending the request and reading the header section.
            public var headers: Duration
            /// Reading the body.
            public var body: Duration
            /// The whole check.
            public var total: Duration

            /// Makes time bounds: 5 s a step and 10 s for all unless told otherwise.
            public init(
                resolve: Duration = .seconds(5), connect: Duration = .seconds(5), tls: Duration = .seconds(5),
                headers: Duration = .seconds(5), body: Duration = .seconds(5), total: Duration = .seconds(10)
            ) {
                self.resolve = resolve
                self.connect = connect
                self.tls = tls
                self.headers = headers
                self.body = body
                self.total = total
            }
        }

        /// What is asked; empty asks nothing, and the verdict is inconclusive.
        public var endpoints: [Endpoint]
        /// How many must answer as expected.
        public var quorum: Quorum
        /// How long a verdict that the quorum allows waits for endpoints that might show a portal.
        ///
        /// The wait is shorter when the quorum was quick. When there is no quorum by then, the check goes on until every
        /// endpoint has answered or its time is over.
        public var decisionWindow: Duration
        /// The bounds in time.
        public var timeouts: Timeouts
        /// Which addresses are used.
        public var family: Family
        /// What the sockets are tied to.
        public var binding: Binding
        /// Whether the environment's proxies are used.
        public var proxies: Proxies
        /// How many bytes of a body are read, at the most.
        public var bodyLimit: Int
        /// Whether requests carry what makes caches ask the server: a random query, `no-store`, `Pragma`.
        public var bustsCaches: Bool
        /// Header fields to send to every endpoint.
        public var headers: [String: String]
        /// Certificates (PEM) to trust besides the system's.
        public var additionalTrustAnchors: [String]
        /// Where the captive portal API is looked for.
        public var captivePortalAPI: CaptivePortalAPI

        /// Makes a configuration; what is not given has the documented default.
        public init(
            endpoints: [Endpoint] = .defaults, quorum: Quorum = .percent(50), decisionWindow: Duration = .seconds(3),
            timeouts: Timeouts = Timeouts(), family: Family = .any, binding: Binding = .none,
            proxies: Proxies = .bypass, bodyLimit: Int = 64 * 1024, bustsCaches: Bool = true,
            headers: [String: String] = [:], additionalTrustAnchors: [String] = [],
            captivePortalAPI: CaptivePortalAPI = .discover
        ) {
            self.endpoints = endpoints
            self.quorum = quorum
            self.decisionWindow = decisionWindow
            self.timeouts = timeouts
            self.family = family
            self.binding = binding
            self.proxies = proxies
            self.bodyLimit = bodyLimit
            self.bustsCaches = bustsCaches
            self.headers = headers
            self.additionalTrustAnchors = additionalTrustAnchors
            self.captivePortalAPI = captivePortalAPI
        }

        /// Sends nothing: every check is inconclusive.
        public static let disabled = Self(endpoints: [], captivePortalAPI: .off)
    }
}
