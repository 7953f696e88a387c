// SPDX-License-Identifier: Apache-2.0

extension ScriptedInternet {
    /// How the Internet behaves.
    ///
    /// A scene decides twice: when a client connects, and for each request. The ready-made ones are below; any
    /// other is made of closures.
    public struct Scene: Sendable {
        /// What the server does with a connection.
        public enum Door: Hashable, Sendable {
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

        let http: Door
        let https: Door
        let act: @Sendable (RecordedRequest) -> Act
        /// The scenes that the connections get in turn.
        let turns: [Scene]

        /// Creates a scene.
        ///
        /// - Parameters:
        ///   - http: the door of plain HTTP.
        ///   - https: the door of HTTPS.
        ///   - act: the act for each request.
        public init(
            http: Door = .open, https: Door = .open, _ act: @escaping @Sendable (RecordedRequest) -> Act = Self.success
        ) {
            self.init(http: http, https: https, turns: [], act)
        }

        private init(
            http: Door, https: Door, turns: [Scene], _ act: @escaping @Sendable (RecordedRequest) -> Act
        ) {
            self.http = http
            self.https = https
            self.turns = turns
            self.act = act
        }

        /// The answers of a healthy server: `success` at `/success.txt`, the nonce at `/nonce`, else an empty 204.
        @Sendable public static func success(_ request: RecordedRequest) -> Act {
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

        /// Each connection gets the next of these scenes, starting over after the last.
        public static func flapping(_ scenes: [Scene]) -> Self {
            Self(http: .open, https: .open, turns: scenes, Self.success)
        }

        /// The same answer to every request.
        public static func always(_ act: Act, http: Door = .open, https: Door = .open) -> Self {
            Self(http: http, https: https) { _ in act }
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
