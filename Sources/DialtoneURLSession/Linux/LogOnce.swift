// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import Synchronization

/// A message about this program that is logged once in the process.
final class LogOnce: Sendable {
    private let hasLogged = Atomic(false)

    func callAsFunction(_ message: @autoclosure () -> String) {
        guard !hasLogged.exchange(true, ordering: .relaxed) else { return }
        NSLog("%@", message())
    }
}

#endif
