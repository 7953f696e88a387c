// SPDX-License-Identifier: Apache-2.0

import SystemSupport
public import Testing

/// Limits how many cases of a suite run at the same time, whatever the run allows: each of them needs much of the machine.
public struct AtOnceTrait: SuiteTrait, TestTrait, TestScoping {
    private let turns: Turns

    /// True: on a suite it applies to every test in it.
    public var isRecursive: Bool { true }

    /// Waits for a turn around each case, not around the suite.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    /// Runs a case when it is its turn.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await turns.begin()
        defer { turns.end() }
        try await function()
    }

    fileprivate init(_ count: Int) { turns = Turns(count) }
}

extension Trait where Self == AtOnceTrait {
    /// At most `count` cases of the suite run at the same time.
    public static func atOnce(_ count: Int) -> Self { AtOnceTrait(count) }
}

private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
