// SPDX-License-Identifier: Apache-2.0

import LibC

/// The error number of a system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The system's description of the error, by strerror(3), whose result is per-thread or constant in the C libraries
    /// in use.
    package var description: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}

package enum SystemCall {
    /// Throws the error in `errno` if the call returns -1, and repeats the call if a signal interrupted it (`EINTR`).
    ///
    /// Not generic: other modules would use the unspecialized code.
    @discardableResult
    package static func check(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let value = call()
            if value != -1 { return value }
            let number = errno
            if number != EINTR { throw SystemError(number) }
        }
    }

    @discardableResult
    package static func check(_ call: () -> Int32) throws(SystemError) -> Int32 {
        Int32(truncatingIfNeeded: try check { Int(call()) })
    }

    /// Reads the available bytes of a descriptor: read(2).
    ///
    /// - Returns: their number; 0 at the end.
    package static func read(_ number: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
        try check { unsafe LibC.read(number, &buffer, buffer.count) }
    }

    /// Writes as many bytes as the descriptor accepts: write(2).
    ///
    /// - Returns: their number.
    package static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) throws(SystemError) -> Int {
        try check { unsafe bytes.withUnsafeBytes { unsafe LibC.write(number, $0.baseAddress, $0.count) } }
    }
}
