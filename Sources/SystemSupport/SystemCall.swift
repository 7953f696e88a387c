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
}
