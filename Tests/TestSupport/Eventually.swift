// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Polls for a condition that nothing announces, such as the release of an object by another thread.
///
/// - Parameters:
///   - bound: the maximum time to wait; the test then fails.
///   - sourceLocation: the place of the failure.
///   - condition: the condition.
public func eventually(
    within bound: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + bound
    while try await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("not within \(bound)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
