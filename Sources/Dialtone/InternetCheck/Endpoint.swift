//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension InternetCheck {
    /// A URL that is asked, and what it must answer.
    ///
    /// ```swift
    /// let mine: InternetCheck.Endpoint = "https://status.example.org/204"
    /// let page = InternetCheck.Endpoint("http://example.org/check.txt", expecting: .body("still here"))
    /// ```
    public struct Endpoint: Sendable, ExpressibleByStringLiteral {
        /// The URL, `http` or `https`, without user and password.
        public var url: String
        /// What it must answer.
        public var expectation: Expectation
        /// Header fields to send besides Dialtone's own.
        public var headers: [String: String]
        /// Whether its name must not lead to a private address, as a forged answer of a name server would.
        ///
        /// A plain answer from such an address proves nothing; one over HTTPS still does. Nil decides by the name: numeric
        /// addresses, names without a dot, and the names of local networks (`.local`, `.internal`, `.home.arpa`, `.lan`,
        /// `.home`, `.corp`, `.test`, `.localhost`) may be private.
        public var isPublic: Bool?

        /// Makes an endpoint.
        ///
        /// - Parameters:
        ///   - url: an `http` or `https` URL; `InternetCheck.init` throws for any other.
        ///   - expectation: what it must answer; an empty 204 unless told otherwise.
        ///   - headers: header fields to send.
        ///   - bearerToken: sent as `Authorization: Bearer …` (RFC 6750).
        ///   - isPublic: whether a private address is a forgery; nil decides by the name.
        public init(
            _ url: String, expecting expectation: Expectation = .noContent, headers: [String: String] = [:],
            bearerToken: String? = nil, isPublic: Bool? = nil
        ) {
            self.url = url
            self.expectation = expectation
            self.headers = headers
            self.isPublic = isPublic
            if let bearerToken { self.headers["Authorization"] = "Bearer \(bearerToken)" }
        }

        /// Makes an endpoint that must answer with an empty 204.
        public init(stringLiteral url: String) { self.init(url) }
    }
}
