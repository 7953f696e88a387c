// SPDX-License-Identifier: Apache-2.0

extension ScriptedInternet {
    /// How the Internet behaves.
    ///
    /// It decides twice: when a client connects, and for each request. The ready-made ones are below; any
    /// other is made of closures.
    public struct Behavior: Sendable {
        /// The server's reaction to a connection.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum ConnectionBehavior: Hashable, Sendable {
            /// A server.
            case open
            /// A connection on which the server never sends anything.
            case silent
            /// A connection that is reset at once.
            case resetting
            /// No server: the connection is refused.
            case closed
            /// Over HTTPS, a certificate of an authority that is not trusted.
            case untrusted
            /// Over HTTPS, a certificate for another name.
            case misnamed
            /// Over HTTPS, a certificate that expired an hour ago.
            case expired
            /// Over HTTPS, a certificate that is signed with its own key.
            case selfSigned
            /// Over HTTPS, a certificate that contains the last host name only as its common name.
            case commonNameOnly
            /// Over HTTPS, TLS 1.1 at most.
            case oldTLS
        }

        let http: ConnectionBehavior
        let https: ConnectionBehavior
        package let response: @Sendable (RecordedRequest) -> Response
        /// The behaviors that the connections get in turn.
        private(set) var turns: [Behavior] = []

        /// Creates a behavior.
        ///
        /// - Parameters:
        ///   - http: what happens to connections of plain HTTP.
        ///   - https: what happens to connections of HTTPS.
        ///   - response: the response for each request.
        public init(
            http: ConnectionBehavior = .open, https: ConnectionBehavior = .open,
            _ response: @escaping @Sendable (RecordedRequest) -> Response = Self.success
        ) {
            self.http = http
            self.https = https
            self.response = response
        }

        /// The answers of a healthy server: `success` at `/success.txt`, the nonce at `/nonce`, else an empty 204.
        @Sendable public static func success(_ request: RecordedRequest) -> Response {
            switch request.path {
            case "/success.txt": .answer(200, body: "success\n")
            case "/nonce": .answer(200, body: request[field: "Dialtone-Nonce"] ?? "")
            default: .answer(204)
            }
        }

        /// A working Internet.
        public static let online = Self()

        /// HTTP passes; HTTPS is silent.
        public static let partial = Self(https: .silent)

        /// HTTP and HTTPS are silent.
        public static let silent = Self(http: .silent, https: .silent)

        /// HTTP and HTTPS are refused.
        public static let refusing = Self(http: .closed, https: .closed)

        /// Each connection gets the next of these behaviors, starting over after the last.
        public static func flapping(_ behaviors: [Behavior]) -> Self {
            var behavior = Self()
            behavior.turns = behaviors
            return behavior
        }

        /// The same answer to every request.
        public static func always(
            _ response: Response, http: ConnectionBehavior = .open, https: ConnectionBehavior = .open
        ) -> Self {
            Self(http: http, https: https) { _ in response }
        }

        /// Responses that start after a delay.
        public static func slow(_ delay: Duration) -> Self { Self { success($0).after(delay) } }

        /// Responses that arrive one byte at a time.
        public static func dripping(every interval: Duration) -> Self {
            Self { success($0).dripping(every: interval) }
        }

        /// A transparent cache that answers for plain pages, without any Internet behind it.
        public static let staleCache = Self(https: .silent) { request in
            request.target.contains("?") ? .answer(504) : success(request)
        }

        /// Every plain page is modified on the way.
        public static let tampering = Self { request in
            request.isSecure
                ? success(request) : .answer(200, body: "success<script src=\"http://ads.test/\"></script>")
        }

        /// A chain of this number of redirects.
        public static func redirects(_ count: Int) -> Self {
            Self(https: .silent) { request in
                let step = Int(request.path.split(separator: "/").last ?? "") ?? 0
                return step < count ? .redirect(to: "/redirect/\(step + 1)") : .answer(200, body: "the end of it")
            }
        }
    }
}

extension ScriptedInternet.Behavior {
    /// How a portal answers.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Portal: Hashable, Sendable, CaseIterable {
        /// By a redirect to its login page.
        case redirect
        /// By a redirect without a location.
        case redirectWithoutLocation
        /// By its login page in place of every page.
        case content
        /// By the status 511 (RFC 6585), with a page that leads to the login.
        case networkAuthenticationRequired
    }

    /// The login page of the portals.
    public static let loginPage = "http://login.portal.test/welcome?from=scripted"

    /// A portal: it answers plain HTTP, and HTTPS is silent.
    ///
    /// - Parameters:
    ///   - kind: how it answers.
    ///   - spared: host names that pass before the login, over HTTP and HTTPS, as vendors' hosts do in many portals.
    ///   - https: what happens to connections of HTTPS; with spared hosts it is open, and other hosts are reset.
    public static func portal(_ kind: Portal, sparing spared: Set<String> = [], https: ConnectionBehavior = .silent)
        -> Self
    {
        Self(https: spared.isEmpty ? https : .open) { request in
            if spared.contains(request.host) { return success(request) }
            if request.isSecure { return .reset }
            switch kind {
            case .redirect: return .redirect(to: loginPage)
            case .redirectWithoutLocation: return .redirect(to: nil)
            case .content: return .answer(200, fields: ["Content-Type": "text/html"], body: page)
            case .networkAuthenticationRequired:
                return .answer(511, fields: ["Content-Type": "text/html"], body: page)
            }
        }
    }

    private static let page = """
        <html><head><title>Welcome</title><meta http-equiv="refresh" content="0; url=\(loginPage)"></head>
        <body>Please log in.</body></html>
        """
}

extension ScriptedInternet.Response {
    /// The answer of a captive portal API (RFC 8908).
    ///
    /// - Parameters:
    ///   - isCaptive: the key `captive`.
    ///   - portal: the key `user-portal-url`; nil leaves it out.
    ///   - more: further keys, as JSON, such as `"seconds-remaining":60`.
    public static func captivePortalAPI(captive isCaptive: Bool, portal: String? = nil, more: String? = nil) -> Self {
        let keys = ["\"captive\":\(isCaptive)", portal.map { "\"user-portal-url\":\"\($0)\"" }, more]
        return answer(
            200, fields: ["Content-Type": "application/captive+json"],
            body: "{\(keys.compactMap(\.self).joined(separator: ","))}")
    }
}
