// SPDX-License-Identifier: Apache-2.0

extension [InternetCheck.Endpoint] {
    /// The default endpoints: four independent operators, each over HTTP and HTTPS.
    ///
    /// | Operator | Why |
    /// | --- | --- |
    /// | Google | the best connected host; blocked in some countries |
    /// | Apple | reachable where Google is not, and its answer is a fixed text |
    /// | Cloudflare | an independent network with servers almost everywhere |
    /// | GrapheneOS Foundation | uncommon: portals do not let it pass before the login, as they do with vendors' hosts |
    ///
    /// HTTP finds portals, which can change what is not encrypted; HTTPS proves that the answer was not changed. Half of the
    /// endpoints must pass, so two operators may be silent or down. If one operator is blocked by a redirect or a page and all
    /// others are proven over HTTPS, the verdict is `verified` with a remark; two such operators are a captive portal.
    ///
    /// Privacy: each operator sees this host's address, the time, and Dialtone's name in `User-Agent`; no cookie, no
    /// identifier, and random numbers that are never used twice. To avoid this, set `endpoints` to hosts of your own.
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
        ]
    }
}
