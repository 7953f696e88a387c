// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs work, but waits for it only until a deadline or the caller's cancellation.
///
/// The work is then cancelled, and its result ignored whenever it arrives: work that ignores cancellation cannot block
/// the caller.
package func firstAnswer<Value: Sendable>(
    until deadline: ContinuousClock.Instant, late: Value, cancelled: Value,
    _ work: @escaping @Sendable () async -> Value
) async -> Value {
    let race = Race<Value>()
    let worker = Task { @concurrent in race.finish(await work()) }
    let alarm = Task { @concurrent in
        try await Task.sleep(until: deadline)
        race.finish(late)
    }
    defer {
        worker.cancel()
        alarm.cancel()
    }
    return await withTaskCancellationHandler {
        await withCheckedContinuation { race.wait($0) }
    } onCancel: {
        race.finish(cancelled)
    }
}

/// Resumes one waiter with the first of several results.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case running(CheckedContinuation<Value, Never>?)
        case answered(Value)
        case over
    }

    private let state = Mutex(State.running(nil))

    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let answer: Value? = state.withLock { state in
            switch state {
            case .running:
                state = .running(continuation)
                return nil
            case .answered(let value):
                state = .over
                return value
            case .over: return nil
            }
        }
        if let answer { continuation.resume(returning: answer) }
    }

    func finish(_ value: Value) {
        let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard case .running(let waiter) = state else { return nil }
            state = waiter == nil ? .answered(value) : .over
            return waiter
        }
        waiter?.resume(returning: value)
    }
}
