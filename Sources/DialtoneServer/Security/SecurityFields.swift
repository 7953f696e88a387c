//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The fields that every answer carries.
enum SecurityFields {
    /// Nothing may be loaded but this server's own style, script and data; nobody may frame the page.
    static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Adds them.
    ///
    /// The referrer stays here, and is not left out altogether: browsers would then call the origin of this page's own forms
    /// `null`.
    ///
    /// - Parameter isTrustworthy: whether the browser takes the page's origin for safe from others on the way; elsewhere it
    ///   would only complain of a field that it ignores.
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
