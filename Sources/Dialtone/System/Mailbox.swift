//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Hands values from any thread to a loop, in order.
///
/// As `AsyncStream`, but the loop does not leave its actor to wait: one on the main actor never wakes Swift's pool of threads.
final class Mailbox<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var readers: [CheckedContinuation<Value?, Never>] = []
        var onEnd: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state: Mutex<State>
    private let capacity: Int

    /// Makes a mailbox.
    ///
    /// - Parameter capacity: how many values wait at most; more push out the oldest.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
        state = Mutex(State())
    }

    /// Calls back once, when nobody reads any more; at once if that is so.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.onEnd = body }
            return state.hasEnded
        }
        if hasEnded { body() }
    }

    /// Puts in a value; after the end it is dropped.
    func put(_ value: Value) {
        let reader = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            guard !state.hasEnded else { return nil }
            if !state.readers.isEmpty { return state.readers.removeFirst() }
            if state.values.count >= capacity { state.values.removeFirst() }
            state.values.append(value)
            return nil
        }
        reader?.resume(returning: value)
    }

    /// Ends it: what waits is dropped, and readers get nil.
    func end() {
        let (readers, onEnd) = state.withLock { state in
            defer { (state.hasEnded, state.readers, state.values, state.onEnd) = (true, [], [], nil) }
            return (state.readers, state.onEnd)
        }
        for reader in readers { reader.resume(returning: nil) }
        onEnd?()
    }

    /// Takes the next value out, waiting for it; nil after the end.
    ///
    /// The end comes when the task that waits is cancelled.
    func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { read($0) }
        } onCancel: {
            end()
        }
    }

    private func read(_ continuation: CheckedContinuation<Value?, Never>) {
        let value: Value?? = state.withLock { state in
            if state.hasEnded { return .some(nil) }
            guard state.values.isEmpty else { return state.values.removeFirst() }
            state.readers.append(continuation)
            return nil
        }
        if let value { continuation.resume(returning: value) }
    }
}

extension Mailbox {
    /// Reads a mailbox, and ends it when it goes away: a loop that was left with `break`.
    final class Reader: Sendable {
        private let mailbox: Mailbox

        init(_ mailbox: Mailbox) { self.mailbox = mailbox }

        deinit { mailbox.end() }

        func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            await mailbox.next(isolation: actor)
        }
    }
}
