// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// A URL, split into the parts that a request needs.
struct ProbeTarget: Hashable, Sendable {
    /// Why a text is not a URL that can be queried.
    struct Invalid: Error {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    /// The URL without its fragment.
    let url: URL
    let isSecure: Bool
    /// The host as it is resolved and verified: without brackets.
    let host: String
    let port: UInt16
    /// The path and query as they are sent.
    let target: String

    /// - Throws: `Invalid` unless it is an absolute `http` or `https` URL with a host and without a user and password.
    init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= 2048 else { throw Invalid("must be at most 2048 bytes long") }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Invalid("must be ASCII without spaces and control characters; write names in their xn-- form")
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw Invalid("must be an http or https URL") }
        guard url.user() == nil, url.password() == nil else { throw Invalid("must not contain a user or a password") }
        guard let host = url.host(percentEncoded: false), Self.isHost(host) else {
            throw Invalid("must have a valid host")
        }
        if let port = url.port, !(1...65535).contains(port) { throw Invalid("must have a port from 1 to 65535") }
        isSecure = scheme == "https"
        self.host = host
        port = url.port.flatMap(UInt16.init(exactly:)) ?? (scheme == "https" ? 443 : 80)
        let path = url.path(percentEncoded: true)
        target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        self.url = url
    }

    /// - Throws: the problem, as that of a field of a configuration.
    init(_ text: String, of field: String) throws(InvalidConfiguration) {
        do throws(Invalid) { try self.init(text) } catch { throw .init(field, error.problem) }
    }

    /// The host in header fields and authorities: with brackets around IPv6, without a zone.
    var bracketedHost: String {
        let bare = host.prefix { $0 != "%" }
        return host.contains(":") ? "[\(bare)]" : String(bare)
    }

    /// The value of the `Host` field.
    var hostField: String { port == (isSecure ? 443 : 80) ? bracketedHost : authority }

    var authority: String { "\(bracketedHost):\(port)" }

    /// The path and query, with one more item in the query.
    func target(adding item: String?) -> String {
        guard let item else { return target }
        return target + (target.contains("?") ? "&" : "?") + item
    }

    /// Whether the name is one of the public Internet, so that a private address for it is a forgery.
    var isPublicName: Bool {
        guard let labels, labels.count > 1, let last = labels.last else { return false }
        let isLocal = ["local", "internal", "lan", "test", "localhost", "home", "corp"].contains(last)
        return !isLocal && !labels.suffix(2).elementsEqual(["home", "arpa"])
    }

    /// The operator of a host without a named one: the last two labels of the name, or the whole numeric address.
    var operatorName: String { labels?.suffix(2).joined(separator: ".") ?? host }

    /// The labels of the name; nil for a numeric address.
    private var labels: [Substring]? {
        guard NetworkAddress(host) == nil else { return nil }
        return host.lowercased().utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
    }

    private static func isHost(_ text: String) -> Bool {
        if NetworkAddress(text) != nil { return true }
        let allowed = text.utf8.allSatisfy { HTTPLine.isAlphanumeric($0) || "-._".utf8.contains($0) }
        return allowed && (1...253).contains(text.utf8.count) && NameQuery(text) != nil
    }
}
