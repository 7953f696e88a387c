// SPDX-License-Identifier: Apache-2.0

import LibC

#if !canImport(Darwin)
import CLinux
#endif

/// An open file, closed when its last reference is released.
package final class Descriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Opens a file, which programs that this process starts do not inherit: open(2).
    ///
    /// - Parameters:
    ///   - flags: as for open(2).
    ///   - permissions: those of the file, if it is created.
    package convenience init(opening path: String, _ flags: Int32, permissions: UInt32 = 0) throws(SystemError) {
        self.init(try SystemCall.check { unsafe open(path, flags | O_CLOEXEC, mode_t(permissions)) })
    }

    deinit { _ = close(number) }

    /// Duplicates the descriptor for an owner that closes it itself; programs that this process starts do not inherit it.
    package func duplicate() throws(SystemError) -> Int32 {
        try SystemCall.check { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    }

    /// Creates the two ends of a pipe, which programs that this process starts do not inherit: pipe2(2).
    ///
    /// - Parameter flags: as for pipe2(2); by default neither end blocks.
    package static func pipe(_ flags: Int32 = O_NONBLOCK) throws(SystemError) -> (
        reading: Descriptor, writing: Descriptor
    ) {
        var numbers: [Int32] = [-1, -1]
        #if canImport(Darwin)
        try SystemCall.check { unsafe LibC.pipe(&numbers) }
        let ends = (reading: Descriptor(numbers[0]), writing: Descriptor(numbers[1]))
        for number in numbers {
            try SystemCall.check { fcntl(number, F_SETFD, FD_CLOEXEC) }
            try SystemCall.check { fcntl(number, F_SETFL, flags) }
        }
        return ends
        #else
        try SystemCall.check { unsafe CLinux_pipe(&numbers, flags) }
        return (reading: Descriptor(numbers[0]), writing: Descriptor(numbers[1]))
        #endif
    }
}
