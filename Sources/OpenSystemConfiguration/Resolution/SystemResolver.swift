//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import Netlink

/// The C library's resolver: the hosts file, DNS, and whatever else the system is set up to ask.
enum SystemResolver {
    /// More addresses than this say nothing more about a name.
    private static let mostAddresses = 64

    /// Asks, and waits as long as the resolver waits: getaddrinfo(3).
    static func lookup(_ name: HostName) -> NameAnswer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        // One entry per address instead of one per kind of socket.
        hints.ai_socktype = numericCast(SOCK_STREAM.rawNumber)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name.cString, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            return [EAI_AGAIN, EAI_SYSTEM, EAI_MEMORY].contains(status) ? .temporaryFailure : .notFound
        }
        var addresses: [HostAddress] = []
        var next = list
        while let entry = next?.pointee, addresses.count < mostAddresses {
            if let address = entry.ai_addr.flatMap({ SocketAddressReader.read($0) }), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .notFound : .addresses(addresses)
    }
}

// SOCK_STREAM is an enumeration in one C library and a plain number in others.
extension RawRepresentable where RawValue: BinaryInteger {
    fileprivate var rawNumber: Int { Int(rawValue) }
}
extension BinaryInteger {
    fileprivate var rawNumber: Int { Int(self) }
}

#endif
