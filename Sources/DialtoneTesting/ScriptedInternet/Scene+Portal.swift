// SPDX-License-Identifier: Apache-2.0

extension ScriptedInternet.Scene {
    /// How a portal answers.
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

    /// The login page of a portal scene.
    public static let loginPage = "http://login.portal.test/welcome?from=scripted"

    /// A portal: it answers plain HTTP, and HTTPS is silent.
    ///
    /// - Parameters:
    ///   - kind: how it answers.
    ///   - spared: host names that pass before the login, over HTTP and HTTPS, as vendors' hosts do in many portals.
    ///   - https: the door of HTTPS; with spared hosts it is open, and other hosts are reset.
    public static func portal(_ kind: Portal, sparing spared: Set<String> = [], https: Door = .silent) -> Self {
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

extension ScriptedInternet.Act {
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
