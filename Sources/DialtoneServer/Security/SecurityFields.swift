// SPDX-License-Identifier: Apache-2.0

/// The security fields of every response.
enum SecurityFields {
    /// Allows only this server's own style, script and data, and forbids framing the page.
    static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Adds the fields to a response.
    ///
    /// The referrer is limited to this origin instead of being disabled: without a referrer, browsers would send `null`
    /// as the origin of this page's own forms.
    ///
    /// - Parameter isTrustworthy: whether the browser considers the page's origin secure in transit; otherwise it would
    ///   only warn about a field that it ignores.
    static func add(to response: Response, isTrustworthy: Bool) -> Response {
        var response = response
        response.fields += [
            ("Content-Security-Policy", contentSecurityPolicy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        if isTrustworthy { response.fields.append(("Cross-Origin-Opener-Policy", "same-origin")) }
        return response
    }
}
