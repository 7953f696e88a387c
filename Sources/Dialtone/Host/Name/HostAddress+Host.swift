//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension HostAddress {
    /// The address of a host that is one; nil for a name.
    public init?(_ host: NWEndpoint.Host) {
        switch host {
        case .ipv4(let address): self.init(address)
        case .ipv6(let address): self.init(address)
        default: return nil
        }
    }

    private init?(_ address: some IPAddress) {
        self.init(
            bytes: Array(address.rawValue), scope: address.interface.map { UInt32(truncatingIfNeeded: $0.index) } ?? 0)
    }

    /// 127/8 (RFC 1122) or `::1` (RFC 4291).
    public var isLoopback: Bool {
        version == .ipv4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// 0.0.0.0 or `::`.
    public var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The text form with the interface's name behind the `%` instead of its number, as people write it.
    public var scopedText: String {
        guard scope != 0, let unscoped = HostAddress(bytes: bytes) else { return "\(self)" }
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer -> String? in
            guard let start = buffer.baseAddress, let name = if_indextoname(scope, start) else { return nil }
            return String(cString: name)
        }
        return name.map { "\(unscoped)%\($0)" } ?? "\(self)"
    }

    /// The addresses that `localhost` means, IPv6 first.
    static let loopbacks = [HostAddress("::1"), HostAddress("127.0.0.1")].compactMap(\.self)
}
