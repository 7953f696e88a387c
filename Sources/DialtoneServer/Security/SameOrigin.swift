//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whether a request that changes something comes from a page of this server.
enum SameOrigin {
    /// Browsers say where a POST comes from, in `Origin` and `Sec-Fetch-Site`; one that says neither is refused.
    ///
    /// Source: the Fetch standard of WHATWG, section 3.2, and the W3C's Fetch Metadata Request Headers.
    static func holds(_ request: Request) -> Bool {
        let (origin, site) = (request.fields.filter { $0.name == "origin" }, request[field: "sec-fetch-site"])
        guard origin.count <= 1 else { return false }
        if let site, site != "same-origin" { return false }
        guard let origin = origin.first else { return site != nil }
        guard let host = request[field: "host"]?.lowercased() else { return false }
        // A proxy in front may speak HTTPS; the authority is the same.
        return origin.value.lowercased() == "http://\(host)" || origin.value.lowercased() == "https://\(host)"
    }
}
