// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Checks the thread sanitizer with a task that reads what a queue stores.
///
/// With `resumed`, the queue stores before it resumes the task's continuation, which is no race. With `race`, it stores after that, and
/// this must be reported.
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
