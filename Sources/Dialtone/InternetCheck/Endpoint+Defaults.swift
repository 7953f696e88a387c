//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension [InternetCheck.Endpoint] {
    /// The endpoints that are asked unless a program names its own: four operators that have nothing to do with each
    /// other, each over HTTP and HTTPS.
    ///
    /// | Operator | Why |
    /// | --- | --- |
    /// | Google | the best connected host there is; blocked in some countries |
    /// | Apple | reachable where Google is not, and its answer is a text that has to be right |
    /// | Cloudflare | an independent network, near everywhere |
    /// | GrapheneOS Foundation | uncommon: portals do not let it through before the login, as they do vendors' hosts |
    ///
    /// HTTP finds portals, which can change what is not encrypted; HTTPS proves that nobody did. Half of them must answer,
    /// so two operators may be blocked or down.
    ///
    /// Privacy: each operator sees the address of this host, the time, and Dialtone's name in `User-Agent`; no cookie, no
    /// identifier, and random numbers that are never used twice. Who minds sets `endpoints` to hosts of their own.
    public static var defaults: Self {
        [
            "http://connectivitycheck.gstatic.com/generate_204",
            "https://www.google.com/generate_204",
            .init("http://captive.apple.com/hotspot-detect.html", expecting: .contains("<TITLE>Success</TITLE>")),
            .init("https://www.apple.com/library/test/success.html", expecting: .contains("<TITLE>Success</TITLE>")),
            "http://cp.cloudflare.com/generate_204",
            "https://cp.cloudflare.com/generate_204",
            "http://connectivitycheck.grapheneos.network/generate_204",
            "https://connectivitycheck.grapheneos.network/generate_204",
        ]
    }
}
