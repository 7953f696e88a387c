// SPDX-License-Identifier: Apache-2.0

/// A text as a C string.
@safe package final class CText: Sendable {
    // Written before any other code can read it, and freed when no code can read it any more.
    nonisolated(unsafe) private let start: UnsafeMutablePointer<CChar>

    package init(_ text: String) {
        let bytes = text.utf8CString
        unsafe start = .allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe (start + index).initialize(to: byte) }
    }

    deinit { unsafe start.deallocate() }

    package var pointer: UnsafePointer<CChar> { unsafe UnsafePointer(start) }
}
