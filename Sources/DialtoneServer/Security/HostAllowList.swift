// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The names under which this server may be addressed.
///
/// A page from another site can make its own name resolve to this machine's address (DNS rebinding), and would then
/// have the same origin as the dashboard. It cannot change the `Host` field that the browser sends, which is its own
/// name.
struct HostAllowList: Hashable, Sendable {
    private let names: Set<String>
    private let addresses: Set<NetworkAddress>
    private let ports: Set<UInt16>

    /// Allows `localhost`, the loopback addresses, the listen addresses, and additional names.
    ///
    /// - Parameters:
    ///   - listen: the addresses and ports that the server listens on.
    ///   - extra: additional names or addresses, such as that of a proxy; without a port, any port is allowed.
    init(_ listen: [ListenAddress], extra: [String] = []) {
        names = Set(["localhost"] + extra.map { $0.lowercased() })
        addresses = Set(extra.compactMap { NetworkAddress($0) } + listen.map(\.host).filter { !$0.isUnspecified })
        ports = Set(listen.map(\.port))
    }

    /// Whether a text is a host name as browsers send it, or an address; each may have a port.
    static func isValid(_ text: String) -> Bool {
        if NetworkAddress(text) != nil { return true }
        guard let (host, _) = split(text.lowercased()) else { return false }
        if NetworkAddress(host) != nil { return true }
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-._".utf8)
        return host.utf8.allSatisfy(letters.contains)
    }

    /// Whether a `Host` field names this server.
    func allows(_ field: String) -> Bool {
        guard let (host, port) = Self.split(field.lowercased()) else { return false }
        // A proxy has its own port.
        if names.contains(host), host != "localhost" || port.map(ports.contains) ?? true { return true }
        if names.contains(field.lowercased()) { return true }
        guard let address = NetworkAddress(host) else { return false }
        return address.isThisMachine || addresses.contains(address)
    }

    /// Whether a `Host` field is a loopback name, which browsers trust without encryption.
    static func isLoopback(_ field: String) -> Bool {
        guard let (host, _) = split(field.lowercased()) else { return false }
        return host == "localhost" || NetworkAddress(host)?.isThisMachine ?? false
    }

    /// Splits `name`, `name:port`, `[address]` or `[address]:port`.
    static func split(_ text: String) -> (host: String, port: UInt16?)? {
        var host: Substring = text[...]
        var portText: Substring? = nil
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":") else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            portText = text[text.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        guard let portText else { return (String(host), nil) }
        guard portText.isDecimal, let port = UInt16(portText) else { return nil }
        return (String(host), port)
    }
}

/// Whether a state-changing request comes from a page of this server.
enum SameOrigin {
    /// Verifies the origin of a POST by `Origin` and `Sec-Fetch-Site`; a request without both is refused.
    ///
    /// Source: the Fetch standard of WHATWG, section 3.2, and the W3C's Fetch Metadata Request Headers.
    static func holds(_ request: Request) -> Bool {
        let origin = request.fields.filter { $0.name == "origin" }
        let site = request[field: "sec-fetch-site"]
        guard origin.count <= 1 else { return false }
        if let site, site != "same-origin" { return false }
        guard let origin = origin.first else { return site != nil }
        guard let host = request[field: "host"]?.lowercased() else { return false }
        let value = origin.value.lowercased()
        // A proxy before a server without encryption may use HTTPS; the authority is the same.
        return value == "https://\(host)" || !request.isEncrypted && value == "http://\(host)"
    }

    /// Whether a page of another origin sent this GET, other than by a link that opens a page here.
    ///
    /// The same-origin policy hides the response from such a page, but does not prevent the work on this server.
    /// Clients other than browsers send no `Sec-Fetch-Site`, nor do browsers without TLS, except to loopback.
    static func isForeignRead(_ request: Request) -> Bool {
        let sites = request.fields.filter { $0.name == "sec-fetch-site" }.map(\.value)
        guard !sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return false }
        return request[field: "sec-fetch-mode"] != "navigate" || request[field: "sec-fetch-dest"] != "document"
    }
}
