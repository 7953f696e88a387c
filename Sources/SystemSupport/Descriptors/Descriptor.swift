// SPDX-License-Identifier: Apache-2.0

import LibC

/// An open file, closed when its last reference is released.
package final class Descriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { _ = close(number) }
}
