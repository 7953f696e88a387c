// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Collects the values that callbacks deliver, from any thread, and lets a test wait for them without polling.
///
/// A test reads the values in order: each wait continues where the last one ended. `values` is everything so far.
///
/// ```swift
/// let paths = Recorder<Path>()
/// monitor.handler = { paths.record($0) }
/// let first = try await paths.next()
/// let lost = try await paths.next { !$0.isSatisfied }
/// ```
public final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        /// The number of values that previous waits have passed.
        var passed = 0
        var lastWait = 0
        /// Waits for one more value; they return true for it and false when they time out.
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Waits that timed out while they were not suspended.
        var ended: Set<Int> = []
    }

    /// The parts of a time limit.
    ///
    /// A virtual machine may stand still for longer than the limit, and with it what a test waits for: such a pause counts as one part.
    private static var steps: Int { 3 }

    private let state = Mutex(State())

    /// Creates an empty recorder.
    public init() {}

    /// Everything recorded so far, in order.
    public var values: [Value] { state.withLock { $0.values } }

    /// Adds a value, from any thread.
    public func record(_ value: Value) {
        let waiters = state.withLock { state in
            state.values.append(value)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// The next value that matches; those before it are skipped.
    ///
    /// - Parameters:
    ///   - timeout: the maximum time to wait while the machine runs.
    ///   - isWanted: the condition; by default every value matches.
    /// - Throws: `RecorderTimeout` with the values that were recorded instead; `CancellationError`.
    public func next(
        timeout: Duration = .seconds(60), matching isWanted: (Value) -> Bool = { _ in true }
    ) async throws -> Value {
        let range = try await wait(timeout: timeout, isWanted)
        return state.withLock { $0.values[range.upperBound - 1] }
    }

    /// The last value recorded if it matches, otherwise the next one that does: for values that represent a state.
    ///
    /// - Throws: as `next(timeout:matching:)`.
    public func latest(
        timeout: Duration = .seconds(60), matching isWanted: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        state.withLock { state in
            let isThere = state.values.last.map(isWanted) ?? false
            state.passed = max(state.passed, state.values.count) - (isThere ? 1 : 0)
        }
        return try await next(timeout: timeout, matching: isWanted)
    }

    /// The values up to and including the next one that matches.
    ///
    /// - Parameters:
    ///   - timeout: the maximum time to wait while the machine runs.
    ///   - isLast: the condition for the last value.
    /// - Throws: as `next(timeout:matching:)`.
    public func values(
        timeout: Duration = .seconds(60), until isLast: (Value) -> Bool
    ) async throws -> [Value] {
        let range = try await wait(timeout: timeout, isLast)
        return state.withLock { Array($0.values[range]) }
    }

    /// The range of values from the end of the last wait to the first value that matches.
    private func wait(timeout: Duration, _ isWanted: (Value) -> Bool) async throws -> Range<Int> {
        let (id, start) = state.withLock { state in
            state.lastWait += 1
            return (state.lastWait, state.passed)
        }
        let limit = Task {
            for _ in 0..<Self.steps { try await TimeSource.system.sleep(for: timeout / Self.steps) }
            end(id)
        }
        defer {
            limit.cancel()
            state.withLock { _ = $0.ended.remove(id) }
        }
        return try await withTaskCancellationHandler {
            var index = start
            while let value = await value(at: index, wait: id) {
                index += 1
                if isWanted(value) {
                    state.withLock { $0.passed = max($0.passed, index) }
                    return start..<index
                }
            }
            try Task.checkCancellation()
            throw RecorderTimeout(timeout: timeout, values: values, start: start)
        } onCancel: {
            end(id)
        }
    }

    /// The value at an index, as soon as it exists; nil when the wait times out.
    private func value(at index: Int, wait id: Int) async -> Value? {
        while true {
            let value = state.withLock { $0.values.count > index ? $0.values[index] : nil }
            if let value { return value }
            guard await withCheckedContinuation({ enter($0, id: id, index: index) }) else { return nil }
        }
    }

    private func enter(_ waiter: CheckedContinuation<Bool, Never>, id: Int, index: Int) {
        let answer: Bool? = state.withLock { state in
            if state.values.count > index { return true }
            if state.ended.contains(id) { return false }
            state.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.resume(returning: answer) }
    }

    private func end(_ id: Int) {
        let waiter = state.withLock { state in
            state.ended.insert(id)
            return state.waiters.removeValue(forKey: id)
        }
        waiter?.resume(returning: false)
    }
}

/// The error when the awaited value was not recorded in time.
public struct RecorderTimeout: Error, CustomStringConvertible {
    /// The duration of the wait, the values that were skipped, and those before.
    public let description: String

    init<Value>(timeout: Duration, values: [Value], start: Int) {
        let lines = values.enumerated().map { "  \($0 < start ? "(earlier) " : "")\($1)" }
        let list = lines.isEmpty ? "nothing" : "\n" + lines.joined(separator: "\n")
        description = "not recorded within \(timeout); recorded: \(list)"
    }
}
