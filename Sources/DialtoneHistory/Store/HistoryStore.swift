//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
public import FoundationEssentials
import Synchronization

/// Keeps what was the case, in a directory of its own.
///
/// Recording never waits for the disk and never fails: what cannot be written stays in memory, ``status`` says so, and it is
/// written as soon as that is possible. One process records in a directory; any number may read.
///
/// A kill or a crash loses nothing that was written, and a write takes milliseconds; a power cut may lose what was written in
/// the last half minute, and that time is told as not watched, never made up.
public final class HistoryStore: Sendable {
    /// Where it is kept.
    public let directory: URL
    /// How it is kept.
    public let configuration: HistoryConfiguration
    /// The state is guarded; the files are touched on the queue only.
    let state: Mutex<State>
    let queue = DispatchQueue(label: "dialtone.history", qos: .utility)

    private init(directory: URL, configuration: HistoryConfiguration) {
        self.directory = directory
        self.configuration = configuration
        state = Mutex(State(at: configuration.clock(), interval: configuration.heartbeatInterval))
    }

    /// Opens the history in a directory, which is made when it is not there, and begins to watch.
    ///
    /// It never fails: see ``status``.
    public static func open(at directory: URL, configuration: HistoryConfiguration = .init()) async -> HistoryStore {
        let store = HistoryStore(directory: directory, configuration: configuration)
        await store.onQueue { $0.write(retrying: true) }
        return store
    }

    /// How the store is.
    public var status: HistoryStatus {
        state.withLock { state in
            HistoryStatus(
                health: state.trouble.map { .degraded($0) } ?? .healthy, waiting: state.pending.count,
                discarded: state.pending.discarded, notices: state.notices)
        }
    }

    /// Records a transition; one that says what the last one said is a sign of life only.
    public func record(_ transition: HistoryTransition) {
        let now = configuration.clock()
        schedule { $0.pending.append($0.log.record(transition, at: now)) }
    }

    /// Records what a check came to.
    public func record(_ check: CheckRecord) {
        schedule { $0.pending.append(check) }
    }

    /// Gives a sign of life: to be called every ``HistoryConfiguration/heartbeatInterval``.
    ///
    /// It notices that the host slept or that its clock was set, and tries again to write what waits.
    ///
    /// - Parameter reading: what the clocks say; nil to look.
    public func heartbeat(at reading: ClockReading? = nil) {
        let now = reading ?? configuration.clock()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending.append(state.log.observe(now))
        }
        queue.async { self.write(retrying: true) }
    }

    /// Waits until all that was recorded before is written, or could not be.
    public func flush() async { await onQueue { $0.write(retrying: true) } }

    /// Ends the watching as it should be, and closes the files.
    ///
    /// Nothing is recorded afterwards, and nothing can be asked.
    public func close() async {
        let now = configuration.clock()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.pending.append(state.log.observe(now))
            state.isClosed = true
        }
        await onQueue { $0.end() }
    }

    private func schedule(_ change: (inout State) -> Void) {
        let isNeeded = state.withLock { state in
            guard !state.isClosed else { return false }
            change(&state)
            // While the disk refuses, the next heartbeat is soon enough to try again.
            guard !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if isNeeded { queue.async { self.write(retrying: false) } }
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
