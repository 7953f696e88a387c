//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

/// The proxies that an environment names, by curl's rules.
struct ProxySettings: Sendable {
    /// An HTTP proxy.
    struct Proxy: Hashable, Sendable {
        let host: String
        let port: UInt16
        /// User and password as they stand in the URL, decoded; nil when there are none.
        let credentials: String?

        /// The field that carries the credentials (RFC 7617).
        var fields: [HTTPResponse.Field] {
            credentials.map {
                [.init(name: "Proxy-Authorization", value: "Basic \(Data($0.utf8).base64EncodedString())")]
            } ?? []
        }
    }

    let environment: [String: String]

    /// The proxy for a target; nil for none.
    ///
    /// - Throws: for a proxy of another kind than HTTP, or whose URL cannot be read.
    func proxy(for target: ProbeTarget) throws(ProbeError) -> Proxy? {
        guard !isExempt(target) else { return nil }
        // HTTP_PROXY in capitals is what a request's `Proxy` field becomes under CGI: it is not believed.
        let names = target.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let value = (names + ["all_proxy", "ALL_PROXY"]).compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let value else { return nil }
        let text = value.contains("://") ? value : "http://\(value)"
        guard let url = URL(string: text), let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw ProbeError(.proxyFailure, during: .prepare, "the proxy's URL cannot be read")
        }
        guard url.scheme?.lowercased() == "http" else {
            throw ProbeError(.proxyFailure, during: .prepare, "only HTTP proxies are spoken to")
        }
        let user = url.user(percentEncoded: false)
        return Proxy(
            host: host, port: url.port.flatMap(UInt16.init(exactly:)) ?? 1080,
            credentials: user.map { "\($0):\(url.password(percentEncoded: false) ?? "")" })
    }

    /// Whether `no_proxy` names the host, a domain above it, or everything.
    private func isExempt(_ target: ProbeTarget) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        let host = target.host.lowercased()
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { item in
            if item == "*" { return true }
            let name = item.lowercased().drop { $0 == "." }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)") || target.authority == name)
        }
    }
}
