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
import SystemResolution

extension HostAddress {
    /// The address behind a pointer of C; nil when it is neither IPv4 nor IPv6.
    init?(_ pointer: UnsafePointer<sockaddr>) {
        guard let address = ResolvedAddress(pointer) else { return nil }
        self.init(address)
    }

    /// An address of C.
    init?(_ address: ResolvedAddress) {
        guard let inet = InetAddress(bytes: address.bytes) else { return nil }
        let scope = address.scope == 0 ? nil : Int32(exactly: address.scope)
        self.init(inet, scope: inet.isLinkLocal && inet.family == .ipv6 ? scope : nil)
    }
}

#endif
