// SPDX-License-Identifier: Apache-2.0

import LibC

/// An open file that this value owns, and that is closed with it.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Transfers the open file to the caller, which must close it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    deinit { _ = close(number) }
}
