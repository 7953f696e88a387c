// SPDX-License-Identifier: Apache-2.0

import LibC

#if !canImport(Darwin)
import CLinux
#endif

/// Wakes threads that wait in poll(2): eventfd(2), or two connected sockets on other platforms.
package final class WakeEvent: Sendable {
    private let watched: Descriptor
    #if canImport(Darwin)
    private let other: Descriptor
    #endif

    package init() throws(SystemError) {
        #if canImport(Darwin)
        (watched, other) = try Sockets.connectedPair()
        #else
        watched = Descriptor(try SystemCall.check(CLinux_eventfd))
        #endif
    }

    /// The file descriptor for poll(2), readable while the event is signalled.
    package var number: Int32 { watched.number }

    /// Ends the current waits of all threads, and their next ones until the event is cleared.
    package func signal() {
        #if canImport(Darwin)
        _ = try? Sockets.sendBytes(other, [1])
        #else
        var one: UInt64 = 1
        _ = unsafe write(watched.number, &one, MemoryLayout<UInt64>.size)
        #endif
    }

    /// Resets the event, so that the next wait blocks again.
    package func clear() {
        #if canImport(Darwin)
        var bytes = [UInt8](repeating: 0, count: 64)
        while let count = try? Sockets.receiveBytes(watched, into: &bytes), count == bytes.count {}
        #else
        var value: UInt64 = 0
        _ = unsafe read(watched.number, &value, MemoryLayout<UInt64>.size)
        #endif
    }
}
