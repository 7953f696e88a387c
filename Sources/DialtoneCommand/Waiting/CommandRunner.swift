// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import LibC
import SystemSupport

/// Runs a command, and repeats it if required.
final class CommandRunner: Sendable {
    /// The way in which this process ends.
    enum End: Hashable {
        case status(Int32)
        /// By a signal that arrived while no command ran, or by Ctrl-C, which also ended the command.
        case signal(Int32)
    }

    private let command: [String]
    private let retryStatuses: Set<Int32>
    private let policy: WaitingPolicy
    private let place: WaitContext
    private let line: WaitingLine
    /// The signals that this process ignores, but did not ignore when it started.
    private let restored: [Int32]
    private let state = Mutex(State())

    private struct State {
        var child: Int32?
        var lastSignal: Int32?
        /// Whether a key was pressed while the command started.
        var resendsKeys = false
        var waiting: Task<ChildProcess.End, any Error>?
        /// Whether it was reported what the path lacks.
        var isNoted = false
    }

    init(
        command: [String], retryStatuses: Set<Int32>, policy: WaitingPolicy, place: WaitContext, line: WaitingLine,
        restored: [Int32]
    ) {
        self.command = command
        self.retryStatuses = retryStatuses
        self.policy = policy
        self.place = place
        self.line = line
        self.restored = restored
    }

    /// Runs the command, and returns how this process must end.
    func run() async -> End {
        let signals = Signals(Signals.all) { [weak self] number, isOfKernel in
            self?.receive(number, isOfKeys: isOfKernel && [SIGINT, SIGQUIT].contains(number))
        }
        defer { withExtendedLifetime(signals) {} }
        let waiting = startCommandTask { try await self.attempts(signals) }
        let isOver = state.withLock { state in
            state.waiting = waiting
            return state.lastSignal != nil
        }
        if isOver { waiting.cancel() }
        do {
            let end = try await waiting.value
            // A shell stops its loop at Ctrl-C only if the program that it ran ended by that signal.
            if end == .killed(SIGINT), state.withLock({ $0.lastSignal }) == SIGINT { return .signal(SIGINT) }
            return .status(end.status)
        } catch let error as ChildProcess.StartError {
            // Even with --quiet, the reason for a failure is printed.
            Console.printError("dialtone: \(Printable.text("\(error)"))")
            return .status(error.status)
        } catch let error as Failed {
            return .status(error.status)
        } catch let error as WaitingError {
            line.printTimeout(after: policy.deadline, error)
            return .status(ExitStatus.timedOut.rawValue)
        } catch {
            line.clear()
            return .signal(state.withLock { $0.lastSignal } ?? 15)
        }
    }

    /// Passes a signal on, or ends the wait.
    ///
    /// Signals from the terminal's keys have already reached the child.
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
        // Until the first attempt; after that, the reason for the next attempt.
        let progress = place.show(on: line, policy)
        defer { progress.cancel() }
        return try await withConnectivity(policy, in: place.room) { [line] reason in
            line.show(reason)
            return .keepWaiting
        } operation: {
            progress.cancel()
            line.clear()
            noteMissingNames()
            return try await attempt(signals)
        }
    }

    /// Before the first attempt.
    private func noteMissingNames() {
        let isFirst = state.withLock { state in
            defer { state.isNoted = true }
            return !state.isNoted
        }
        if isFirst { line.noteMissingNames(place.monitor.current) }
    }

    /// A failure that `withConnectivity` can interpret.
    private struct Failed: RequestFailureConvertible {
        let status: Int32
        let requestFailure: RequestFailure
    }

    private func attempt(_ signals: Signals) async throws -> ChildProcess.End {
        let keysBefore = SignalCatcher.keyCount
        signals.deliverPending()
        // Keys reach the child as soon as it exists, so `receive` waits until its process ID is known.
        let child = try state.withLock { state -> ChildProcess? in
            guard state.lastSignal == nil else { return nil }
            let child = try ChildProcess(command, restoring: signals.caught + restored)
            state.child = child.identifier
            // A key that was pressed before the command existed did not reach it; a later one did. Which of them it was
            // is not known; it is better that the command gets the signal twice than never.
            state.resendsKeys = SignalCatcher.keyCount != keysBefore
            return child
        }
        guard let child else { throw CancellationError() }
        await child.waitUntilEnded()
        // This process may not have handled the signal that ended the child yet.
        signals.deliverPending()
        let lastSignal = state.withLock { state in
            state.child = nil
            return state.lastSignal
        }
        let end = child.collect()
        // A command that got a signal to end is not started again.
        guard case .exited(let status) = end, status != 0, lastSignal == nil else { return end }
        if retryStatuses.contains(status) {
            line.printLine("\(command[0]) ended with \(status).")
            throw Failed(status: status, requestFailure: RequestFailure(.cannotConnect))
        }
        // The current state of the network decides whether the command is repeated.
        let kind: RequestFailure.Kind = await isTargetGone() ? .cannotConnect : .unknown
        // A signal that arrived in the meantime ends the wait.
        try Task.checkCancellation()
        throw Failed(status: status, requestFailure: RequestFailure(kind, mayHaveReachedServer: false))
    }

    private func isTargetGone() async -> Bool {
        switch policy.level {
        case .path: return false
        case .verified:
            await place.monitor.verify()
            return false
        case .host(let target):
            return await HostReachability(target, connects: true).check().state == .unreachable
        }
    }
}
