//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

/// A URL taken apart into what a request needs.
struct ProbeTarget: Hashable, Sendable {
    /// Why a text is no URL that can be asked.
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

    /// - Throws: for what is not an absolute `http` or `https` URL with a host, and for one with a user or a password.
    init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= 2048 else { throw Invalid("longer than 2048 bytes") }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Invalid("blanks, control characters or other than ASCII; names take their xn-- form")
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { throw Invalid("not a URL") }
        guard scheme == "http" || scheme == "https" else { throw Invalid("\(scheme) is neither http nor https") }
        guard url.user() == nil, url.password() == nil else { throw Invalid("has a user or a password in it") }
        guard let host = url.host(percentEncoded: false), Self.isHost(host) else { throw Invalid("no usable host") }
        if let port = url.port, UInt16(exactly: port) == nil || port == 0 { throw Invalid("\(port) is not a port") }
        isSecure = scheme == "https"
        self.host = host
        port = url.port.flatMap(UInt16.init(exactly:)) ?? (scheme == "https" ? 443 : 80)
        let path = url.path(percentEncoded: true)
        target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        self.url = url
    }

    /// The host as header fields and authorities have it: with brackets around IPv6, without a zone.
    var bracketedHost: String {
        let bare = host.prefix { $0 != "%" }
        return host.contains(":") ? "[\(bare)]" : String(bare)
    }

    /// The value of the `Host` field.
    var hostField: String {
        port == (isSecure ? 443 : 80) ? bracketedHost : authority
    }

    /// Host and port.
    var authority: String { "\(bracketedHost):\(port)" }

    /// The path and query, with one more item in the query.
    func target(adding item: String?) -> String {
        guard let item else { return target }
        return target + (target.contains("?") ? "&" : "?") + item
    }

    /// Whether the name is one of the public Internet, so that a private address for it is a forgery.
    var isPublicName: Bool {
        guard HostAddress(host) == nil else { return false }
        let labels = host.lowercased().split(separator: ".")
        guard labels.count > 1, let last = labels.last else { return false }
        let isLocal = ["local", "internal", "lan", "test", "localhost", "home", "corp"].contains(last)
        return !isLocal && !labels.suffix(2).elementsEqual(["home", "arpa"])
    }

    private static func isHost(_ text: String) -> Bool {
        if HostAddress(text) != nil { return true }
        let allowed = text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
        return allowed && (1...253).contains(text.utf8.count) && !text.hasPrefix(".")
    }
}
