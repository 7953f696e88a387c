// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Checks the thread sanitizer: `race` has a data race and must be reported, `mutex` has none and must not be.
@main enum Races {
    /// Guarded by `lock` with `mutex`, and deliberately unguarded with `race`.
    nonisolated(unsafe) private static var count = 0
    private static let lock = Mutex(())

    static func main() {
        let isGuarded = CommandLine.arguments.dropFirst().first == "mutex"
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 {
                if isGuarded { lock.withLock { _ in count += 1 } } else { count += 1 }
            }
        }
        print(count)
    }
}
