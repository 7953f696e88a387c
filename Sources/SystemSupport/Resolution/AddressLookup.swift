// SPDX-License-Identifier: Apache-2.0

import LibC
package import NetworkModel

/// The C library's resolver, getaddrinfo(3): the hosts file, DNS, and every other source that the system is configured
/// to use.
package enum AddressLookup {
    /// The reason why there are no addresses.
    package struct Failure: Error, Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            /// There is no such name.
            case noSuchName
            /// It has no address of the family.
            case noAddress
            /// The name servers answered with a permanent error.
            case refused
            /// No name server could be queried, or none answered.
            case noAnswer
            /// This process, or this machine, has no memory or descriptor left.
            case noResources
        }

        package let reason: Reason
        /// The C library's description.
        package let words: String
    }

    /// The maximum number of addresses to return.
    private static let mostAddresses = 64

    /// Resolves a name, and blocks as long as the system's resolver does: half a minute with silent name servers.
    ///
    /// - Parameter name: the name with a terminating NUL; it need not be UTF-8.
    /// - Returns: the addresses in the order of RFC 6724, without duplicates.
    package static func addresses(
        of name: [CChar], family: NetworkAddress.Family = .any
    ) -> Result<[NetworkAddress], Failure> {
        var hints = unsafe addrinfo()
        // One entry per address instead of one per kind of socket.
        unsafe hints.ai_socktype = SocketConstant.type(.stream)
        switch family {
        case .any: unsafe hints.ai_family = AF_UNSPEC
        case .ipv4: unsafe hints.ai_family = AF_INET
        case .ipv6: unsafe hints.ai_family = AF_INET6
        }
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(name, nil, &hints, &list)
        guard status == 0 else {
            let failure = Failure(status)
            return .failure(failure.reason == .noAnswer ? Failure.shortage ?? failure : failure)
        }
        defer { unsafe list.map { unsafe freeaddrinfo($0) } }
        var addresses: [NetworkAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee, addresses.count < mostAddresses {
            unsafe next = unsafe entry.ai_next
            if let address = unsafe entry.ai_addr.flatMap({ unsafe NetworkAddress($0) }), !addresses.contains(address) {
                addresses.append(address)
            }
        }
        return addresses.isEmpty ? .failure(Failure(EAI_FAMILY)) : .success(addresses)
    }
}

extension AddressLookup.Failure {
    /// The error of a socket that this process cannot open; nil if it can.
    ///
    /// The C library reports it as a failure of the name servers.
    fileprivate static var shortage: Self? {
        do throws(SystemError) {
            _ = try Sockets.openSocket(.ipv4, .datagram)
            return nil
        } catch {
            return error.isShortage ? Self(reason: .noResources, words: "\(error)") : nil
        }
    }

    fileprivate init(_ status: some BinaryInteger) {
        words = unsafe gai_strerror(Int32(status)).map { unsafe String(cString: $0) } ?? "error \(status)"
        reason =
            switch Int32(status) {
            case Int32(EAI_NONAME): .noSuchName
            // EAI_NODATA and EAI_ADDRFAMILY, which glibc declares only for GNU sources.
            case -5, -9, Int32(EAI_FAMILY): .noAddress
            case Int32(EAI_MEMORY): .noResources
            case Int32(EAI_AGAIN), Int32(EAI_SYSTEM): .noAnswer
            default: .refused
            }
    }
}
