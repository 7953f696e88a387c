//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import CNetlinkShims
import Netlink

/// Wakes a thread that waits in poll(2): eventfd(2).
package final class WakeEvent: Sendable {
    private let descriptor: Descriptor

    /// Makes an event; nil when no descriptor is left.
    package init?() {
        let number = CNetlink_eventfd()
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The number for poll(2).
    package var number: Int32 { descriptor.number }

    /// Ends the wait, now or the next one.
    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the next wait wait again.
    package func clear() {
        var value: UInt64 = 0
        _ = read(descriptor.number, &value, MemoryLayout<UInt64>.size)
    }
}
#endif
