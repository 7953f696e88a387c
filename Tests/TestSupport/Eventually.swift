// SPDX-License-Identifier: Apache-2.0

import SystemSupport
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
    let end = TimeSource.system.now + bound
    while try await !condition() {
        guard TimeSource.system.now < end else {
            Issue.record("not within \(bound)", sourceLocation: sourceLocation)
            return
        }
        if Tier.isLogic {
            // It has no timers; what its tests wait for takes little time.
            await Task.yield()
        } else {
            // clock: libdispatch traps if the process has no descriptor left for a timer of another kind, which tests try.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
