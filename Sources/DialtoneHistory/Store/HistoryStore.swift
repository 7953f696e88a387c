// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import Dispatch
import SystemSupport

/// Records connectivity states and checks in a directory.
///
/// Recording never waits for the disk and never fails: unwritten records stay in memory until writing is
/// possible again, and ``status`` reports it. One process records in a directory; any number may read.
///
/// A kill or a crash loses no written records, and a write takes milliseconds. A power failure may lose the last half
/// minute of written records; that time is shown as not watched, never filled in.
package final class HistoryStore: Sendable {
    package let directory: URL
    package let configuration: HistoryConfiguration
    /// A lock guards the state; the files are used only on the queue.
    let state: Mutex<State>
    let queue = DispatchQueue(label: "dialtone.history", qos: .utility)

    /// Creates a store that reads and writes nothing before the first record, or ``flush()``.
    package init(at directory: URL, configuration: HistoryConfiguration = .init()) {
        self.directory = directory
        self.configuration = configuration
        state = Mutex(State(at: configuration.clock(), interval: configuration.tickInterval))
    }

    /// Opens the history in a directory, creating the directory if necessary, and starts watching.
    ///
    /// It never fails: see ``status``.
    package static func open(at directory: URL, configuration: HistoryConfiguration = .init()) async -> HistoryStore {
        let store = HistoryStore(at: directory, configuration: configuration)
        await store.flush()
        return store
    }

    package var status: HistoryStatus {
        state.withLock { state in
            HistoryStatus(
                problem: state.problem, waiting: state.pending.count,
                discarded: state.pending.discarded, notices: state.notices)
        }
    }

    /// Whether the store's queue is working or waiting for a disk; false when it is stuck for another reason.
    package var isResponding: Bool {
        let now = configuration.clock().monotonic
        return state.withLock { state in
            state.writingSince != nil || now - state.lastWork <= GapRules.overdue(configuration.tickInterval)
        }
    }

    package func record(_ transition: HistoryTransition) {
        let now = configuration.clock()
        schedule { $0.pending.append($0.log.record(transition, at: now)) }
    }

    package func record(_ check: CheckRecord) { schedule { $0.pending.append(check) } }

    /// Records a tick; call it every ``HistoryConfiguration/tickInterval``.
    ///
    /// It detects that the process was paused, that the host slept, or that its clock was set, and retries writing the
    /// waiting records.
    package func tick() {
        let now = configuration.clock()
        let (isNeeded, isStuck) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.pending.append(state.log.observe(now))
            state.pending.trim()
            let isStuck = state.isStuck(at: now) && state.problem != .notResponding
            if isStuck { state.problem = .notResponding }
            // While the disk hangs, only one tick waits for it.
            defer { state.isTickScheduled = true }
            return (!state.isTickScheduled, isStuck)
        }
        if isStuck { notify(.degraded(.notResponding)) }
        if isNeeded { queue.async { self.write(.tick) } }
    }

    /// Waits until all previous records are written, or failed to be written.
    package func flush() async { await onQueue { $0.write(.request) } }

    /// Ends watching with a regular shutdown and closes the files.
    ///
    /// Afterwards nothing is recorded, and queries fail.
    package func close() async {
        let now = configuration.clock()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending.append(state.log.observe(now))
            state.isClosed = true
        }
        await onQueue { store in
            let isFirst = store.state.withLock { state in
                defer { state.isEnding = true }
                return !state.isEnding
            }
            if isFirst { store.end() }
        }
    }

    func schedule(_ change: (inout State) -> Void) {
        let isNeeded = state.withLock { state in
            guard !state.isClosed else { return false }
            change(&state)
            // Trim here, because the queue may be waiting for the disk.
            state.pending.trim()
            // While writing fails, retrying at the next tick is soon enough.
            guard !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if isNeeded { queue.async { self.write(.record) } }
    }

    private func onQueue(_ body: @escaping @Sendable (HistoryStore) -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                body(self)
                continuation.resume()
            }
        }
    }
}

package struct HistoryConfiguration: Sendable {
    /// The ages and the size up to which records are kept.
    package var retention = RetentionPolicy()
    /// The maximum number of seconds between two calls of ``HistoryStore/tick()``.
    ///
    /// After a crash, the recorded end of the run is too early by at most this interval.
    package var tickInterval: Double = 10
    /// The number of seconds to wait for another program's lock on the database; tests that hold one replace it.
    var busyTimeout: Double = 5
    /// Reads the host's clocks; tests replace it.
    package var clock: @Sendable () -> ClockReading = ClockReading.now
    /// Receives each change of the store's health, and a notice for each quarantined file.
    ///
    /// It is called on a queue of the store and should return quickly.
    package var onNotice: (@Sendable (HistoryNotice) -> Void)?

    package init() {}
}
