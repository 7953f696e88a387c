//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs a command as often as it takes.
final class CommandRunner: Sendable {
    /// How it all ends.
    enum End: Hashable {
        case status(Int32)
        /// By a signal that came while nothing ran, or by Ctrl-C, which ended the command too.
        case signal(Int32)
    }

    private let command: [String]
    private let retryStatuses: Set<Int32>
    private let policy: WaitingPolicy
    private let place: WaitingPlace
    private let line: WaitingLine
    /// Signals that this process ignores, but did not at first.
    private let restored: [Int32]
    private let state = Mutex(State())

    private struct State {
        var child: Int32?
        var lastSignal: Int32?
        /// Whether a key was pressed while the command started.
        var resendsKeys = false
        var waiting: Task<ChildProcess.End, any Error>?
    }

    init(
        command: [String], retryStatuses: Set<Int32>, policy: WaitingPolicy, place: WaitingPlace, line: WaitingLine,
        restored: [Int32]
    ) {
        self.command = command
        self.retryStatuses = retryStatuses
        self.policy = policy
        self.place = place
        self.line = line
        self.restored = restored
    }

    /// Runs the command, and returns how to end.
    func run() async -> End {
        let signals = Signals { [weak self] in self?.receive($0, isOfKeys: $1) }
        defer { withExtendedLifetime(signals) {} }
        let waiting = Task(executorPreference: CommandExecutor.shared) { try await self.attempts(signals) }
        let isOver = state.withLock { state in
            state.waiting = waiting
            return state.lastSignal != nil
        }
        if isOver { waiting.cancel() }
        do {
            let end = try await waiting.value
            // A shell ends its loop by Ctrl-C if what it ran ended by it.
            if end == .killed(SIGINT), state.withLock({ $0.lastSignal }) == SIGINT { return .signal(SIGINT) }
            return .status(end.status)
        } catch let error as ChildProcess.StartError {
            // Even a quiet command says why it did not do its work.
            Console.explain("dialtone: \(Printable.text("\(error)"))")
            return .status(error.status)
        } catch let error as Failed {
            return .status(error.status)
        } catch let error as WaitingError {
            line.sayTimedOut(after: policy.deadline, error)
            return .status(ExitStatus.timedOut.rawValue)
        } catch {
            line.clear()
            return .signal(state.withLock { $0.lastSignal } ?? 15)
        }
    }

    /// Hands a signal on, or ends the wait.
    ///
    /// Signals from the terminal's keys have reached the child already.
    private func receive(_ number: Int32, isOfKeys: Bool) {
        let waiting: Task<ChildProcess.End, any Error>? = state.withLock { state in
            state.lastSignal = number
            guard let child = state.child else { return state.waiting }
            if !isOfKeys || state.resendsKeys { ChildProcess.send(number, to: child) }
            state.resendsKeys = false
            return nil
        }
        waiting?.cancel()
    }

    private func attempts(_ signals: Signals) async throws -> ChildProcess.End {
        // Until the first attempt; after that the reason for the next.
        let progress = place.show(on: line, policy)
        defer { progress.cancel() }
        return try await withConnectivity(policy, in: place.room) { [line, place] reason in
            line.show(reason, place.monitor.current.evidence)
            return .keepWaiting
        } operation: {
            progress.cancel()
            line.clear()
            return try await attempt(signals)
        }
    }

    /// A failure, in the words that `withConnectivity` understands.
    private struct Failed: RequestFailureConvertible {
        let status: Int32
        let requestFailure: RequestFailure
    }

    private func attempt(_ signals: Signals) async throws -> ChildProcess.End {
        let keysBefore = SignalCatcher.keyCount
        signals.catchUp()
        // Keys reach the child from its first moment on, so `receive` waits until its identifier is known.
        let child = try state.withLock { state -> ChildProcess? in
            guard state.lastSignal == nil else { return nil }
            let child = try ChildProcess(command, restoring: signals.caught + restored)
            state.child = child.identifier
            // A key that was pressed before the command existed did not reach it; one pressed since did. Which it was is not
            // known: the command rather gets it twice than never.
            state.resendsKeys = SignalCatcher.keyCount != keysBefore
            return child
        }
        guard let child else { throw CancellationError() }
        await child.waitUntilEnded()
        // The signal that ended the child may not have been handled here yet.
        signals.catchUp()
        let lastSignal = state.withLock { state in
            state.child = nil
            return state.lastSignal
        }
        let end = child.collect()
        // A command that was asked to end is not started again.
        guard case .exited(let status) = end, status != 0, lastSignal == nil else { return end }
        if retryStatuses.contains(status) {
            line.say("\(command[0]) ended with \(status).")
            throw Failed(status: status, requestFailure: RequestFailure(.cannotConnect))
        }
        // Whether it is to be repeated follows from how the network is at this moment.
        let kind: RequestFailure.Kind = await isTargetGone() ? .cannotConnect : .unknown
        // A signal that came in the meantime ends it all.
        try Task.checkCancellation()
        throw Failed(status: status, requestFailure: RequestFailure(kind, mayHaveReachedServer: false))
    }

    private func isTargetGone() async -> Bool {
        switch policy.level {
        case .path: return false
        case .verified:
            _ = await place.monitor.verify()
            return false
        case .host(let target):
            return await HostReachability(target, connects: true).check().verdict == .unreachable
        }
    }
}
