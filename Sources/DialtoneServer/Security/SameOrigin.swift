// SPDX-License-Identifier: Apache-2.0

/// Whether a state-changing request comes from a page of this server.
enum SameOrigin {
    /// Verifies the origin of a POST by `Origin` and `Sec-Fetch-Site`; a request without both is refused.
    ///
    /// Source: the Fetch standard of WHATWG, section 3.2, and the W3C's Fetch Metadata Request Headers.
    static func holds(_ request: Request) -> Bool {
        let (origin, site) = (request.fields.filter { $0.name == "origin" }, request[field: "sec-fetch-site"])
        guard origin.count <= 1 else { return false }
        if let site, site != "same-origin" { return false }
        guard let origin = origin.first else { return site != nil }
        guard let host = request[field: "host"]?.lowercased() else { return false }
        // A proxy may use HTTPS; the authority is the same.
        return origin.value.lowercased() == "http://\(host)" || origin.value.lowercased() == "https://\(host)"
    }

    /// Whether a page of another origin sent this GET, other than by a link that opens a page here.
    ///
    /// The same-origin policy hides the response from such a page, but does not prevent the work on this server.
    /// Clients other than browsers send no `Sec-Fetch-Site`.
    static func isForeignRead(_ request: Request) -> Bool {
        let sites = request.fields.filter { $0.name == "sec-fetch-site" }.map(\.value)
        guard !sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return false }
        return request[field: "sec-fetch-mode"] != "navigate" || request[field: "sec-fetch-dest"] != "document"
    }
}
