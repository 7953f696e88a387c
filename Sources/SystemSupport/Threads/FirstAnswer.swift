// SPDX-License-Identifier: Apache-2.0

/// Runs work, but waits for it only until a deadline or the caller's cancellation.
///
/// The work is then cancelled, and its result ignored whenever it arrives: work that ignores cancellation cannot block
/// the caller. `late` and `cancelled` are evaluated when they are needed.
package func firstAnswer<Value: Sendable>(
    until deadline: ContinuousClock.Instant, on time: TimeSource = .system,
    late: @autoclosure @escaping @Sendable () -> Value,
    cancelled: @autoclosure () -> Value,
    _ work: @escaping @Sendable () async -> Value
) async -> Value {
    let (answers, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
    let worker = Work.start { _ = continuation.yield(await work()) }
    let cancelAlarm = time.call(at: deadline) { continuation.yield(late()) }
    defer {
        worker.cancel()
        cancelAlarm()
    }
    // The stream ends when the caller is cancelled.
    return await answers.first { _ in true } ?? cancelled()
}

/// Waits for work, but only for a limited time, which the caller's cancellation does not shorten.
///
/// - Returns: whether the work completed.
package func completes(
    within limit: Duration, on time: TimeSource, _ work: @escaping @Sendable () async -> Void
) async -> Bool {
    await Task {
        await firstAnswer(until: time.now + limit, on: time, late: false, cancelled: false) {
            await work()
            return true
        }
    }.value
}
