// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import LibC
import NetworkModel

/// Names and addresses as the C library reads them: one function per call, and no other file of this module imports it.
///
/// Strings with an embedded NUL are rejected everywhere, because C would silently read only the part before it.
enum SystemNames {
    /// Parses the text form of an IPv6 address (RFC 4291, section 2.2), without a zone.
    static func ipv6Bits(_ text: some StringProtocol) -> AddressBits? {
        guard text.utf8.contains(UInt8(ascii: ":")), !text.utf8.contains(UInt8(ascii: "%")) else { return nil }
        return NetworkAddress(String(text))?.bits
    }

    /// Returns the port of a service in the services database, for TCP or else for UDP.
    static func port(ofService name: String) -> UInt16? {
        guard !name.utf8.contains(0) else { return nil }
        return port(ofService: name, protocol: Int32(IPPROTO_TCP))
            ?? port(ofService: name, protocol: Int32(IPPROTO_UDP))
    }

    /// Looks up a port with `getaddrinfo` and no host.
    ///
    /// That is thread-safe, reads only the services database and sends nothing.
    private static func port(ofService name: String, protocol: Int32) -> UInt16? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_INET
        unsafe hints.ai_protocol = `protocol`
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(nil, name, &hints, &list) == 0 else { return nil }
        defer { unsafe list.map { unsafe freeaddrinfo($0) } }
        guard let entry = unsafe list?.pointee, unsafe entry.ai_family == AF_INET, let address = unsafe entry.ai_addr
        else { return nil }
        return unsafe UInt16(bigEndian: UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port)
    }
}

#endif
