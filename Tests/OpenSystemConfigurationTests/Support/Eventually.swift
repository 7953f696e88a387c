// SPDX-License-Identifier: Apache-2.0

import Testing

/// How long a test waits for the kernel: namespaces that are being deleted can hold its configuration lock for seconds.
let patience: Duration = .seconds(60)

/// Polls for a condition without notification, such as the release of an object by another thread.
func eventually(
    within bound: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async -> Bool
) async throws {
    let end = ContinuousClock.now + bound
    while await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("not within \(bound)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
