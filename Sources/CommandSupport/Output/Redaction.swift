// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// Numbers the addresses and names in what a command prints, so that a user can show it to others.
///
/// An address has the same number in the whole output, and so has a name, also in a URL. Addresses become those of
/// documentation (RFC 5737, RFC 3849), and names those of `.example` (RFC 2606), so that facts can be judged again. What is the same everywhere is kept: loopback addresses,
/// public resolvers, and the default endpoints.
package struct Redaction {
    /// The replacement of each name, the longest names first.
    private let names: [(name: String, replacement: String)]
    private var addresses: [NetworkAddress: NetworkAddress] = [:]

    /// - Parameter facts: the facts whose names are replaced.
    package init(_ facts: Facts, and others: [String] = []) {
        let own = (facts.ownNames + others).filter { NetworkAddress($0) == nil }
        var names: [String: String] = [:]
        var hosts: [String] = []
        for name in own.uniqued {
            let isURL = name.contains("://")
            let host = (isURL ? URL(string: name)?.host(percentEncoded: false) : nil) ?? name
            let number: String
            if isURL, let address = NetworkAddress(host) {
                // It is numbered with the other addresses.
                number = address.version == .ipv6 ? "[\(address)]" : "\(address)"
            } else {
                if !hosts.contains(host) { hosts.append(host) }
                number = "name\((hosts.firstIndex(of: host) ?? 0) + 1).example"
            }
            let replacement = isURL ? "\(name.prefix { $0 != ":" })://\(number)/" : number
            for spelling in [name, Printable.text(name), String(OneLineJSON.string(name).dropFirst().dropLast())] {
                names[spelling] = replacement
            }
        }
        self.names = names.sorted { ($0.key.utf8.count, $0.key) > ($1.key.utf8.count, $1.key) }
            .map { ($0.key, $0.value) }
    }

    /// The text with numbers.
    package mutating func callAsFunction(_ text: String) -> String {
        var rest = numbered(text)[...]
        var result = ""
        while let start = rest.firstIndex(where: \.isPartOfAddress) {
            result += rest[..<start]
            let isWithinWord = rest[..<start].last?.isPartOfWord == true
            let run = rest[start...].prefix(while: \.isPartOfAddress)
            rest = rest[run.endIndex...]
            result += isWithinWord || rest.first?.isPartOfWord == true ? String(run) : replaced(String(run))
        }
        return result + rest
    }

    /// The text with each name replaced once: a replacement is not looked into.
    private func numbered(_ text: String) -> String {
        var parts = [(text: text, isReplaced: false)]
        for (name, replacement) in names {
            parts = parts.flatMap { part in
                guard !part.isReplaced else { return [part] }
                let pieces = part.text.split(separator: name, omittingEmptySubsequences: false)
                return Array(pieces.map { [(String($0), false)] }.joined(separator: [(replacement, true)]))
            }
        }
        return parts.map(\.text).joined()
    }

    /// A run of digits, dots and colons, in which an address may be followed by a port or the end of a sentence.
    private mutating func replaced(_ run: String) -> String {
        var address = run
        while !address.isEmpty {
            if let known = NetworkAddress(address) {
                return "\(replacement(known))" + run.dropFirst(address.count)
            }
            guard let end = address.lastIndex(where: { $0 == "." || $0 == ":" }) else { break }
            address = String(address[..<end])
        }
        return run
    }

    private mutating func replacement(_ address: NetworkAddress) -> NetworkAddress {
        let isShared = address.isLoopback || address.isUnspecified || [NetworkAddress].publicResolvers.contains(address)
        if isShared { return address }
        if let known = addresses[address] { return known }
        let number = addresses.keys.count { $0.version == address.version } + 1
        let new =
            switch address.version {
            case .ipv4:
                // 254 addresses each of 192.0.2.0/24, 198.51.100.0/24 and 203.0.113.0/24.
                switch number {
                case ..<255: NetworkAddress(192, 0, 2, UInt8(number))
                case ..<509: NetworkAddress(198, 51, 100, UInt8(number - 254))
                default: NetworkAddress(203, 0, 113, UInt8(min(number - 508, 254)))
                }
            case .ipv6: NetworkAddress("2001:db8::\(String(min(number, 0xffff), radix: 16))") ?? address
            }
        addresses[address] = new
        return new
    }
}

extension Character {
    fileprivate var isPartOfAddress: Bool { isASCII && (isHexDigit || self == "." || self == ":") }
    fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" || self == "-" }
}
