// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Checks the thread sanitizer: a task reads what a queue stored before it resumed the task's continuation, with `resumed`. That is
/// no race. With `race`, the queue stores it after that, and it must be reported.
@main enum Continuations {
    nonisolated(unsafe) private static var value = 0

    static func main() async {
        let isOrdered = CommandLine.arguments.dropFirst().first == "resumed"
        let queue = DispatchQueue(label: "Continuations")
        for number in 1...20_000 {
            await withCheckedContinuation { continuation in
                queue.async {
                    if isOrdered { value = number }
                    continuation.resume()
                    if !isOrdered { value = number }
                }
            }
            if value != number, isOrdered { fatalError("\(value) instead of \(number)") }
        }
        print(value)
    }
}
