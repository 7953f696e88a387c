// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// The endpoints, the quorum and the bounds of a check.
    public struct Configuration: Sendable {
        /// The IP versions that a check uses.
        public typealias Family = NetworkAddress.Family

        /// The interface or address that sockets are bound to.
        ///
        /// Names are always resolved according to the system's rules.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Binding: Hashable, Sendable {
            /// No binding: the system chooses the interface.
            case none
            /// An interface, by `SO_BINDTODEVICE`; kernels before 5.7 let only root do that, and the evidence says so.
            case interface(String)
            /// An interface or, where that is not permitted, its address; routing may then still choose another interface.
            case interfaceOrItsAddress(String)

            /// Whether packets may use an interface; one whose name is not known is not known to be the right one.
            func allows(_ interface: String?) -> Bool {
                switch self {
                case .none: true
                case .interface(let name), .interfaceOrItsAddress(let name): interface == name
                }
            }
        }

        /// The proxies to use.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Proxies: Hashable, Sendable {
            /// None: the check is about the connection itself, and a proxy may answer from its cache.
            case bypass
            /// Those of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as curl(1) reads them.
            ///
            /// Needed where a proxy is the only route to the Internet: without a path, a `ConnectivityMonitor` of all interfaces
            /// checks while a proxy has a route. Only HTTP proxies are supported.
            case environment
        }

        /// The source of the captive portal API (RFC 8908).
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum CaptivePortalAPI: Hashable, Sendable {
            /// No API.
            case off
            /// The API that the network announced (RFC 8910), as far as `CaptivePortalDiscovery` can find it.
            case discover
            /// This URL, which must be `https`.
            case url(String)
        }

        /// The maximum duration of each step of a probe.
        public struct Timeouts: Hashable, Sendable {
            /// Resolving the name.
            public var resolve: Duration
            /// Connecting, including the attempts to all addresses of the host.
            public var connect: Duration
            /// The TLS handshake.
            public var tls: Duration
            /// Sending the request and reading the header section.
            public var headers: Duration
            /// Reading the body.
            public var body: Duration
            /// The whole check.
            public var total: Duration

            /// Creates time bounds: by default 5 s for each step, 8 s for names, because the C library waits 5 s for the first of
            /// several name servers, and 10 s in total.
            public init(
                resolve: Duration = .seconds(8), connect: Duration = .seconds(5), tls: Duration = .seconds(5),
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

        /// The endpoints to query; without any the state is `unverified`.
        public var endpoints: [Endpoint]
        /// The number or share of endpoints that must answer as expected.
        public var quorum: Quorum
        /// The time for which the check waits for contrary evidence.
        ///
        /// A quorum waits this long at most for endpoints that might show a portal; the wait is shorter if the quorum was
        /// reached quickly. A portal seen by one operator only waits this long at most for the other operators' HTTPS, which may
        /// show that it is no portal. Without a quorum or a portal the check continues until every endpoint has answered or
        /// its time is over.
        public var decisionWindow: Duration
        /// The time limits.
        public var timeouts: Timeouts
        /// The IP versions to use.
        public var family: Family
        /// The interface or address that sockets are bound to.
        public var binding: Binding
        /// The proxies to use.
        public var proxies: Proxies
        /// The maximum number of bytes that are read of a body.
        public var bodyLimit: Int
        /// Whether requests defeat caches: a random query, `no-store`, `Pragma`.
        public var bustsCaches: Bool
        /// Header fields to send to every endpoint.
        public var headers: [String: String]
        /// Certificates (PEM) to trust besides the system's.
        public var additionalTrustAnchors: [String]
        /// The source of the captive portal API.
        public var captivePortalAPI: CaptivePortalAPI
        /// The addresses to connect to, on port 443, if a check does not simply pass and no proxy is used: they tell broken names
        /// and broken servers from a dead uplink.
        ///
        /// If nil, the default endpoints use `publicResolvers`; with endpoints of one's own, none is contacted. Each address
        /// receives the beginning of a TLS handshake without a name, and an empty datagram. Their operators see this host's
        /// address and the time.
        public var publicAddresses: [NetworkAddress]?
        /// Whether `online` requires proof over HTTPS even where HTTPS cannot take part.
        ///
        /// Without a TLS library or CA certificates, plain HTTP alone can make the state `online`, which anyone on the
        /// path can forge. With this requirement the state is then `limited`.
        public var requiresTLS: Bool

        /// Creates a configuration; omitted arguments have the documented defaults.
        public init(
            endpoints: [Endpoint] = .defaults, quorum: Quorum = .percent(50), decisionWindow: Duration = .seconds(3),
            timeouts: Timeouts = Timeouts(), family: Family = .any, binding: Binding = .none,
            proxies: Proxies = .bypass, bodyLimit: Int = 64 * 1024, bustsCaches: Bool = true,
            headers: [String: String] = [:], additionalTrustAnchors: [String] = [],
            captivePortalAPI: CaptivePortalAPI = .discover, publicAddresses: [NetworkAddress]? = nil,
            requiresTLS: Bool = false
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
            self.publicAddresses = publicAddresses
            self.requiresTLS = requiresTLS
        }

        /// A configuration that sends nothing: the state of every check is `unverified`.
        public static let disabled = Self(endpoints: [], captivePortalAPI: .off)
    }
}

extension InternetCheck.Configuration.Family {
    /// Whether an address may be used.
    package func allows(_ address: NetworkAddress) -> Bool {
        switch self {
        case .any: true
        case .ipv4: address.version == .ipv4
        case .ipv6: address.version == .ipv6
        }
    }
}

extension InternetCheck {
    /// The `User-Agent` of requests.
    static let userAgent = "Dialtone (connectivity check)"
}
