// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// Finds the login page of a portal in an untrusted response.
enum PortalURL {
    /// The target of the redirect or of the page's refresh; without one, the URL that was queried, because a browser
    /// that opens it will be redirected to the login.
    static func find(in response: HTTPResponse, of queried: URL) -> URL {
        let link = response[field: "location"] ?? refresh(in: response.body)
        return link.flatMap { usable($0, relativeTo: queried) } ?? queried
    }

    /// The URL of a link, if it is safe to open in a browser.
    ///
    /// It has no user name: `http://accounts.example@evil.example/` looks like an address of another host.
    static func usable(_ link: String, relativeTo base: URL? = nil) -> URL? {
        guard !link.isEmpty, link.utf8.count <= 2048, !link.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            let url = URL(string: encoded(link), relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false), !host.isEmpty, url.absoluteString.utf8.count <= 2048
        else { return nil }
        let text = url.absoluteString.withoutUser
        return text == url.absoluteString ? url : URL(string: text)
    }

    /// The link with every byte percent-encoded that is not allowed in a URL (RFC 3986), and no other.
    ///
    /// Portals put whole URLs and addresses into their queries, partly encoded: encoded bytes must not be encoded again.
    private static func encoded(_ link: String) -> String {
        let bytes = Array(link.utf8)
        // Brackets belong around an IPv6 address, which comes before the path and the query.
        let start = link.firstRange(of: "//").map { link.utf8.distance(from: link.startIndex, to: $0.upperBound) } ?? 0
        let authority = start..<(bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isAllowed =
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                case UInt8(ascii: "["), UInt8(ascii: "]"): authority.contains(index)
                case UInt8(ascii: "%"): bytes.dropFirst(index + 1).prefix(2).count(where: HTTPLine.isHexadecimal) == 2
                default: "-._~:/?#@!$&'()*+,;=".utf8.contains(byte)
                }
            text += isAllowed ? [byte] : Array("%\(hexadecimal(byte >> 4))\(hexadecimal(byte & 15))".utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    /// The URL in `<meta http-equiv="refresh" content="0; url=…">`, which RFC 6585 shows with the status 511.
    static func refresh(in body: [UInt8]) -> String? {
        // Pages have it near the beginning; the rest is not searched.
        let text = String(decoding: body.prefix(16 * 1024), as: UTF8.self)
        for tag in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
            let tag = tag.prefix { $0 != ">" }
            guard tag.prefix(4).lowercased() == "meta" else { continue }
            let lower = tag.lowercased()
            guard lower.contains("refresh"), let link = lower.firstRange(of: /url\s*=\s*/) else { continue }
            // Lowercasing ASCII keeps every offset; other text could shift them, and is then cut short at worst.
            let start = lower.utf8.distance(from: lower.startIndex, to: link.upperBound)
            let rest = tag.utf8.dropFirst(start).drop { $0 == 0x22 || $0 == 0x27 || $0 == 0x20 }
            let value = rest.prefix { $0 != 0x22 && $0 != 0x27 && $0 != 0x20 && $0 != 0x3e }
            return String(decoding: value, as: UTF8.self).replacing("&amp;", with: "&")
        }
        return nil
    }
}
