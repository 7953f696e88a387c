//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// So much of something that all together may have at a time.
final class Budget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Takes some; false when there is not enough left.
    ///
    /// Who is alone gets more than there is, rather than nothing ever.
    func take(_ amount: Int) -> Bool {
        used.withLock { used in
            guard used == 0 || amount <= limit - used else { return false }
            used += amount
            return true
        }
    }

    /// Gives back what was taken.
    func giveBack(_ amount: Int) { used.withLock { $0 -= amount } }
}
