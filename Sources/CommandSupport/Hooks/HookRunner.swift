// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import Dispatch
import LibC
import SystemSupport

/// Runs the hooks of each transition, one after the other.
///
/// `submit` never waits: a hook that hangs delays other hooks only, and is ended after the time limit.
package final class HookRunner: Sendable {
    /// The programs that run at a transition.
    package enum Commands: Hashable, Sendable {
        /// Executables, which get few variables besides those of the transition.
        case files(HookFiles)
        /// A command line for `/bin/sh -c`, which gets the whole environment of this process.
        case shell(String)
    }

    /// How a hook ended.
    package enum Result: String, Hashable, Sendable, CaseIterable {
        /// With status 0.
        case succeeded
        /// With another status or by a signal, or it could not be started.
        case failed
        /// It ran longer than the time limit, and was ended.
        case timedOut
        /// It did not run, because another user could have written it.
        case refused
    }

    /// The end of a hook, for the log.
    package struct Report: Hashable, Sendable {
        package let command: String
        package let result: Result
        /// `status 1`, `signal 9`, or why it did not run.
        package let detail: String
    }

    private struct State: ~Copyable {
        var commands: Commands
        var timeLimit: Duration
        var shortestOutage: Duration
        var queue = HookQueue()
        var counts: [Result: Int] = [:]
        /// The process that runs; its ID stays reserved while it is set.
        var child: Int32?
        /// Whether it reached the time limit.
        var isLate = false
        var isStopped = false
    }

    package static let standardTimeLimit = Duration.seconds(60)
    /// The time between SIGTERM and SIGKILL after the time limit, and the maximum wait after SIGKILL.
    private static let grace = Duration.seconds(5)
    /// The same when this process ends.
    private static let graceAtEnd = 0.8

    private let state: Mutex<State>
    private let runs = DispatchQueue(label: "dialtone.hooks")
    /// The time limits of hooks.
    ///
    /// They do not use `time`, because a hook cannot run while the machine sleeps: Dispatch's clock stops then.
    private let limits = DispatchQueue(label: "dialtone.hooks.limits")
    private let time: TimeSource
    /// Empty while no hook runs.
    private let running = DispatchGroup()
    private let onReport: @Sendable (Report) -> Void

    /// - Parameters:
    ///   - timeLimit: the maximum duration of each hook.
    ///   - shortestOutage: the length from which an outage runs hooks.
    ///   - time: the time by which outages are long enough.
    ///   - onReport: called at the end of each hook, on a queue of the runner.
    package init(
        _ commands: Commands, timeLimit: Duration = standardTimeLimit, shortestOutage: Duration = .zero,
        time: TimeSource = .system, onReport: @escaping @Sendable (Report) -> Void
    ) {
        ChildProcess.keepChildStatus()
        state = Mutex(State(commands: commands, timeLimit: timeLimit, shortestOutage: shortestOutage))
        self.time = time
        self.onReport = onReport
    }

    /// The number of hooks by result, and of the transitions that were `skipped`.
    package var counts: [String: Int] {
        state.withLock { state in
            var counts = ["skipped": state.queue.skipped]
            for result in Result.allCases { counts[result.rawValue] = state.counts[result, default: 0] }
            return counts
        }
    }

    /// Runs the hooks after those of earlier transitions; during an outage, once it is long enough.
    package func submit(_ transition: Transition) {
        start { queue, shortest in queue.append(transition, shortest: shortest) }
        release()
    }

    /// Runs the hooks of an outage that has become long enough, or waits until it is.
    private func release() {
        let now = time.moment
        var next: Double?
        start { queue, shortest in
            let (starts, time) = queue.release(at: now.monotonic / .seconds(1), shortest: shortest)
            next = time
            return starts
        }
        guard let next else { return }
        // After a sleep of the machine it is called too early, and looks again.
        _ = time.call(at: now.boottime + .seconds(next) - now.monotonic) { [weak self] in self?.release() }
    }

    private func start(_ change: (inout HookQueue, _ shortest: Double) -> Bool) {
        let starts = state.withLock { state in
            let starts = !state.isStopped && change(&state.queue, state.shortestOutage / .seconds(1))
            if starts { running.enter() }
            return starts
        }
        if starts { runs.async { self.runAll() } }
    }

    /// Replaces the configuration for the next transition.
    package func reload(_ commands: Commands, timeLimit: Duration, shortestOutage: Duration) {
        state.withLock { state in
            state.commands = commands
            state.timeLimit = timeLimit
            state.shortestOutage = shortestOutage
        }
    }

    /// Ends the hook that is running, and drops the waiting events.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            state.queue.removeAll()
            if let child = state.child { ChildProcess.send(SIGTERM, toGroupOf: child) }
        }
        // clock: the calling thread blocks until another thread ends.
        guard running.wait(timeout: .now() + Self.graceAtEnd) == .timedOut else { return }
        state.withLock { if let child = $0.child { ChildProcess.send(SIGKILL, toGroupOf: child) } }
    }

    private func runAll() {
        defer { running.leave() }
        while let (run, commands) = state.withLock({ state in state.queue.next().map { ($0, state.commands) } }) {
            switch commands {
            case .files(let files):
                let environment = Self.minimalEnvironment.merging(run.variables) { $1 }
                for file in files.find() {
                    switch file.executable {
                    case .success(let executable): execute([executable], file.path, environment)
                    case .failure(let problem): report(file.path, .refused, "\(problem)")
                    }
                }
            case .shell(let line):
                let environment = ProcessInfo.processInfo.environment.merging(run.variables) { $1 }
                execute(["/bin/sh", "-c", line], line, environment)
            }
        }
    }

    /// The variables of a hook besides those of the transition.
    private static var minimalEnvironment: [String: String] {
        var environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        for name in ["HOME", "LANG", "TZ"] { environment[name] = ProcessEnvironment.value(name) }
        return environment
    }

    private func execute(_ arguments: [String], _ command: String, _ environment: [String: String]) {
        guard !state.withLock({ $0.isStopped }) else { return }
        let child: ChildProcess
        do {
            // Outside the lock: the disk with the executable may not respond.
            child = try ChildProcess(groupOf: arguments, environment: environment)
        } catch {
            report(command, .failed, "cannot be started: \(SystemError(error.number))")
            return
        }
        state.withLock { state in
            state.child = child.identifier
            state.isLate = false
            if state.isStopped { ChildProcess.send(SIGTERM, toGroupOf: child.identifier) }
        }
        let (isLate, end, isGroupEnded) = waitForEnd(of: child)
        switch end {
        case _ where isLate:
            report(
                command, .timedOut,
                "ended after the time limit" + (isGroupEnded ? "" : ", but a process that it started does not end"))
        case .exited(let status): report(command, status == 0 ? .succeeded : .failed, "status \(status)")
        case .killed(let number): report(command, .failed, "signal \(number)")
        }
    }

    private func waitForEnd(of child: ChildProcess) -> (isLate: Bool, ChildProcess.End, isGroupEnded: Bool) {
        let timeLimit = state.withLock { $0.timeLimit }
        let signals = [(timeLimit, SIGTERM), (timeLimit + Self.grace, SIGKILL)].map { delay, number in
            let signal = DispatchWorkItem { [self] in
                state.withLock { state in
                    guard state.child == child.identifier else { return }
                    state.isLate = true
                    ChildProcess.send(number, toGroupOf: child.identifier)
                }
            }
            // clock: not an alarm of `TimeSource`: see `limits`.
            limits.asyncAfter(deadline: .now() + delay / .seconds(1), execute: signal)
            return signal
        }
        child.blockUntilEnded()
        for signal in signals { signal.cancel() }
        let (isLate, endsGroup) = state.withLock { state in
            let endsGroup = state.isLate || state.isStopped
            // Processes that the hook started may have ignored the first signal.
            if endsGroup { ChildProcess.send(SIGKILL, toGroupOf: child.identifier) }
            state.child = nil
            return (state.isLate, endsGroup)
        }
        let end = child.collect()
        return (isLate, end, !endsGroup || child.blockUntilGroupEnded(within: Self.grace))
    }

    private func report(_ command: String, _ result: Result, _ detail: String) {
        state.withLock { $0.counts[result, default: 0] += 1 }
        onReport(Report(command: command, result: result, detail: detail))
    }
}
