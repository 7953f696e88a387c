// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// The proxies in an environment, by curl's rules.
struct ProxySettings: Sendable {
    struct Proxy: Hashable, Sendable {
        let host: String
        let port: UInt16
        /// The user and password in the URL, decoded; nil if there are none.
        let credentials: String?

        /// The field that carries the credentials (RFC 7617).
        var fields: [HTTPResponse.Field] {
            credentials.map {
                [.init(name: "Proxy-Authorization", value: "Basic \(Data($0.utf8).base64EncodedString())")]
            } ?? []
        }

        /// The proxy's URL without user and password.
        var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    let environment: [String: String]

    /// The proxy for a target; nil for none.
    ///
    /// - Throws: for a proxy other than HTTP, or with an invalid URL.
    func proxy(for target: ProbeTarget) throws(ProbeError) -> Proxy? {
        guard !isExempt(target) else { return nil }
        // Under CGI, a request's `Proxy` field becomes HTTP_PROXY in capitals, so that variable is ignored.
        let names = target.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let found = (names + ["all_proxy", "ALL_PROXY"]).lazy
            .compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        guard let (name, value) = found else { return nil }
        // No message repeats the value, which may contain a password.
        let text = value.contains("://") ? value : "http://\(value)"
        guard let url = URL(string: text), let host = url.host(percentEncoded: false), !host.isEmpty,
            let port = UInt16(exactly: url.port ?? 1080), port != 0
        else { throw ProbeError(.unsupportedProxy, during: .prepare, "\(name) is not the URL of a proxy") }
        guard url.scheme?.lowercased() == "http" else {
            throw ProbeError(
                .unsupportedProxy, during: .prepare, "\(name) is not an HTTP proxy, and no other is supported")
        }
        let user = url.user(percentEncoded: false)
        return Proxy(
            host: host, port: port, credentials: user.map { "\($0):\(url.password(percentEncoded: false) ?? "")" })
    }

    /// Whether `no_proxy` names the host, a domain above it, a block of addresses around it, or everything; an item with a port
    /// names that port alone.
    private func isExempt(_ target: ProbeTarget) -> Bool {
        let lists = ["no_proxy", "NO_PROXY"].compactMap { environment[$0] }
        guard let list = lists.first(where: { !$0.isEmpty }) else { return false }
        let host = Self.bare(target.host)
        let address = NetworkAddress(target.host)
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).contains { item in
            if item == "*" { return true }
            let (text, port) = Self.split(item)
            guard port == nil || port == target.port else { return false }
            if let address, let block = NetworkPrefix(text) { return block.contains(address) }
            let name = Self.bare(text.drop { $0 == "." })
            if name.isEmpty { return false }
            return host == name || address == nil && host.hasSuffix(".\(name)")
        }
    }

    /// In lower case, without a dot at the end.
    private static func bare(_ name: some StringProtocol) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// An item's name, address or block of addresses, without brackets, and its port.
    private static func split(_ item: Substring) -> (text: String, port: UInt16?) {
        var text = item
        var port: UInt16?
        // Without brackets, an IPv6 address has several colons and cannot have a port.
        if let colon = item.lastIndex(of: ":"), let number = UInt16(item[item.index(after: colon)...]),
            item[..<colon].hasSuffix("]") || !item[..<colon].contains(":")
        {
            text = item[..<colon]
            port = number
        }
        return (text.filter { $0 != "[" && $0 != "]" }, port)
    }
}
