// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// A URL to query, and the answer it must give.
    ///
    /// ```swift
    /// let mine: InternetCheck.Endpoint = "https://status.example.org/204"
    /// let page = InternetCheck.Endpoint("http://example.org/check.txt", expecting: .body("still here"))
    /// ```
    public struct Endpoint: Sendable, ExpressibleByStringLiteral {
        /// The URL, `http` or `https`, without user and password.
        public var url: String
        /// The answer it must give.
        public var expectation: Expectation
        /// Header fields to send besides Dialtone's own.
        public var headers: [String: String]
        /// Whether the host's name must not resolve to a private address, as it does when DNS answers are forged.
        ///
        /// A plain answer from such an address proves nothing; one over HTTPS still does. If nil, the name decides: numeric
        /// addresses, names without a dot, and the names of local networks (`.local`, `.internal`, `.home.arpa`, `.lan`,
        /// `.home`, `.corp`, `.test`, `.localhost`) may be private.
        public var isPublic: Bool?
        /// The operator of the host: endpoints of one operator count as one independent witness.
        ///
        /// If nil, it is the last two labels of the host name, or the whole numeric address.
        public var operatorName: String?

        /// Creates an endpoint.
        ///
        /// - Parameters:
        ///   - url: an `http` or `https` URL; `InternetCheck.init` throws for any other.
        ///   - expectation: the answer it must give; an empty 204 by default.
        ///   - headers: header fields to send.
        ///   - bearerToken: sent as `Authorization: Bearer …` (RFC 6750).
        ///   - isPublic: whether a private address is a forgery; if nil, the name decides.
        ///   - operatorName: the operator of the host; if nil, the last two labels of its name.
        public init(
            _ url: String, expecting expectation: Expectation = .noContent, headers: [String: String] = [:],
            bearerToken: String? = nil, isPublic: Bool? = nil, operatorName: String? = nil
        ) {
            self.url = url
            self.expectation = expectation
            self.headers = headers
            self.isPublic = isPublic
            self.operatorName = operatorName
            if let bearerToken { self.headers["Authorization"] = "Bearer \(bearerToken)" }
        }

        /// Parses `URL` or `URL EXPECTATION`, the form of the command line: `https://example.org/ok.txt body:OK`.
        ///
        /// With an exact body or a nonce, the host may have a private address.
        ///
        /// - Throws: `InvalidConfiguration` for an invalid URL or expectation; it quotes the text.
        public init(parsing text: String) throws(InvalidConfiguration) {
            let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
            self.init(parts.first ?? "")
            do throws(ProbeTarget.Invalid) { _ = try ProbeTarget(url) } catch {
                // The part before an @ may be a password, which must not appear in a log.
                throw .init("url", (url.contains("@") ? "" : "'\(url)' ") + error.problem)
            }
            if parts.count == 2 { expectation = try Expectation(parsing: parts[1]) }
            // Whoever forges DNS answers does not know the text: the host is in a private network.
            if expectation.isDistinctive { isPublic = false }
        }

        /// Creates an endpoint that must answer with an empty 204.
        public init(stringLiteral url: String) { self.init(url) }
    }
}

extension [InternetCheck.Endpoint] {
    /// The default endpoints: six independent operators, each over HTTP and HTTPS.
    ///
    /// | Operator | Answer | Used by | Why |
    /// | --- | --- | --- | --- |
    /// | Google | 204 | Android, Chrome | the best connected host; blocked in some countries |
    /// | Apple | a fixed page | macOS, iOS | reachable where Google is not |
    /// | Cloudflare | 204 | Cloudflare's client | an independent network with servers almost everywhere |
    /// | GrapheneOS Foundation | 204 | GrapheneOS | uncommon: portals do not let it pass before the login |
    /// | Fedora Project | `OK` | NetworkManager on Fedora | on the project's own proxies; as uncommon in portals' lists |
    /// | Canonical | 204 | NetworkManager on Ubuntu | on Canonical's own network; as uncommon in portals' lists |
    ///
    /// HTTP finds portals, which can change what is not encrypted; HTTPS proves that the answer was not changed. Half of the
    /// endpoints must pass, so three operators may be silent or down; if HTTPS passes for more than half of the operators, that
    /// is enough. If one operator is blocked by a redirect or a page and all others are proven over HTTPS, the state is
    /// `online` with a remark: filters do that. Two such operators are a captive portal. A portal that lets the hosts of three
    /// vendors pass before the login still redirects the other three operators.
    ///
    /// Privacy: each operator sees this host's address, the time, and Dialtone's name in `User-Agent`; no cookie, no
    /// identifier, and random numbers that are never used twice. A check queries all six, which the network sees too; a
    /// monitor at rest queries one of them at a time. To avoid this, set `endpoints` to hosts of your own.
    public static var defaults: Self {
        [
            .init("http://connectivitycheck.gstatic.com/generate_204", operatorName: "Google"),
            .init("https://www.google.com/generate_204", operatorName: "Google"),
            .init(
                "http://captive.apple.com/hotspot-detect.html", expecting: .contains("<TITLE>Success</TITLE>"),
                operatorName: "Apple"),
            .init(
                "https://www.apple.com/library/test/success.html", expecting: .contains("<TITLE>Success</TITLE>"),
                operatorName: "Apple"),
            .init("http://cp.cloudflare.com/generate_204", operatorName: "Cloudflare"),
            .init("https://cp.cloudflare.com/generate_204", operatorName: "Cloudflare"),
            .init("http://connectivitycheck.grapheneos.network/generate_204", operatorName: "GrapheneOS"),
            .init("https://connectivitycheck.grapheneos.network/generate_204", operatorName: "GrapheneOS"),
            .init("http://fedoraproject.org/static/hotspot.txt", expecting: .body("OK"), operatorName: "Fedora"),
            .init("https://fedoraproject.org/static/hotspot.txt", expecting: .body("OK"), operatorName: "Fedora"),
            .init("http://connectivity-check.ubuntu.com/", operatorName: "Ubuntu"),
            .init("https://connectivity-check.ubuntu.com/", operatorName: "Ubuntu"),
        ]
    }
}
