// SPDX-License-Identifier: Apache-2.0

import LibC

extension NetworkAddress: CustomStringConvertible {
    /// Reads a numeric address such as `192.0.2.1`, `2001:db8::1` or `fe80::1%eth0`; returns nil for anything else.
    ///
    /// IPv4 is four decimal numbers; IPv6 is the text form of RFC 4291 section 2.2, optionally followed by `%` and the
    /// index or name of an interface of this machine. There is no port, and names are not resolved.
    public init?(_ text: String) {
        // C would read only the text before a NUL.
        guard !text.utf8.contains(0) else { return nil }
        let percent = text.utf8.firstIndex(of: UInt8(ascii: "%"))
        let literal = percent.map { String(text[..<$0]) } ?? text
        let version = literal.utf8.contains(UInt8(ascii: ":")) ? IPVersion.ipv6 : .ipv4
        var bytes = [UInt8](repeating: 0, count: version == .ipv4 ? 4 : 16)
        guard unsafe inet_pton(version == .ipv4 ? AF_INET : AF_INET6, literal, &bytes) == 1 else { return nil }
        var scope: UInt32 = 0
        if let percent {
            guard version == .ipv6 else { return nil }
            let zone = text[text.utf8.index(after: percent)...]
            scope = (zone.first == "+" ? nil : UInt32(zone)) ?? InterfaceNames.index(of: String(zone)) ?? 0
            guard scope != 0 else { return nil }
        }
        self.init(bytes: bytes, scope: scope)
    }

    /// Reads IPv4 as inet_aton(3) does: one to four parts, each decimal, octal (`010`) or hexadecimal (`0x7f`).
    ///
    /// C libraries disagree about blanks and signs around the digits, so those are rejected before the call.
    package init?(lenientIPv4 text: some StringProtocol) {
        var address = in_addr()
        guard text.utf8.allSatisfy("0123456789abcdefABCDEFxX.".utf8.contains),
            unsafe inet_aton(String(text), &address) == 1
        else { return nil }
        self.init(version: .ipv4, bits: AddressBits(UInt32(bigEndian: address.s_addr)))
    }

    /// The address as text: dotted decimal or RFC 5952's form, followed by `%` and any interface index.
    public var description: String {
        guard version == .ipv6 else {
            let bits = UInt32(truncatingIfNeeded: bits.low)
            return "\(bits >> 24).\(bits >> 16 & 0xFF).\(bits >> 8 & 0xFF).\(bits & 0xFF)"
        }
        let capacity = Int(INET6_ADDRSTRLEN)
        let literal = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress,
                let text = unsafe inet_ntop(AF_INET6, bytes, start, socklen_t(capacity))
            else { return "?" }
            return unsafe String(cString: text)
        }
        return scope == 0 ? literal : "\(literal)%\(scope)"
    }

    /// The address as text, with the interface's name after the `%` instead of its index.
    public var scopedText: String {
        guard scope != 0 else { return description }
        return InterfaceNames.name(of: scope).map { "\(unscoped)%\($0)" } ?? description
    }
}
