//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The C library's conversions, which need no kernel and are the same everywhere.
enum Libc {
    /// The 4 or 16 bytes of a numeric address as inet_pton(3) reads it, or nil.
    static func addressBytes(ofLiteral text: String) -> [UInt8]? {
        let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        // inet_pton writes exactly as many bytes as the family has.
        let result = unsafe bytes.withUnsafeMutableBytes {
            unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, $0.baseAddress)
        }
        return result == 1 && !text.utf8.contains(0) ? bytes : nil
    }

    /// The text of 4 or 16 address bytes, by inet_ntop(3).
    static func literal(ofAddressBytes bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // The buffer has room for the longest address of either family and its NUL.
        unsafe text.withUnsafeMutableBufferPointer { text in
            unsafe bytes.withUnsafeBytes { bytes in
                _ = unsafe inet_ntop(
                    bytes.count == 16 ? AF_INET6 : AF_INET, bytes.baseAddress, text.baseAddress, socklen_t(text.count))
            }
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The system's words for an error number, by strerror(3), which the C libraries in use keep per thread or constant.
    static func message(forErrno number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
