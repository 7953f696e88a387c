// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneHistory
package import Logging
import SystemSupport

/// Sends the events of the history to a collector, in order and at least once.
///
/// The history holds the events and the position of the last acknowledged one; without new events, nothing runs.
package final class EventSender: Sendable {
    /// Counts since the start of the process.
    package struct Counts: Hashable, Sendable {
        /// The events that a collector acknowledged.
        package var acknowledged = 0
        /// The requests that were not acknowledged.
        package var failures = 0
        /// The events that the history removed before they were acknowledged.
        package var lost = 0
        /// The events that were set aside because the collector refused each of them.
        package var refused = 0
    }

    private struct State {
        var machine = DeliveryMachine()
        var target: EventTarget?
        var counts = Counts()
        /// The last problem that was logged; nil after a success.
        var problem: String?
        var running: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let alarm = CancellationSlot()
    private let history: HistoryStore
    private let machine: String
    private let proxies: InternetCheck.Configuration.Proxies
    private let logger: Logger
    private let time: TimeSource
    /// Any number of reasons to look for work cause one look.
    private let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// - Parameters:
    ///   - logger: receives the first of equal failures, and the success after them.
    ///   - time: the time by which it pauses after failures.
    package init(
        _ history: HistoryStore, machine: String, proxies: InternetCheck.Configuration.Proxies, logger: Logger,
        time: TimeSource = .system
    ) {
        self.history = history
        self.machine = machine
        self.proxies = proxies
        self.logger = logger
        self.time = time
        state = Mutex(State())
        wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// Sends to this collector from now on; nil stops.
    package func setTarget(_ target: EventTarget?) {
        let isNew = state.withLock { state in
            guard state.target != target else { return false }
            state.target = target
            state.machine = DeliveryMachine(state.machine.state)
            if state.running == nil {
                state.running = Task { [weak self, stream = wakes.stream] in
                    for await _ in stream { await self?.work() }
                }
            }
            return true
        }
        guard isNew else { return }
        if target != nil { history.beginDelivery { [wakes] in wakes.continuation.yield() } }
        wakes.continuation.yield()
    }

    /// Handles a new state of the network.
    package func connectivityChanged(to connectivity: HistoryState) {
        state.withLock { $0.machine.connectivityChanged(to: connectivity) }
        wakes.continuation.yield()
    }

    /// Ends sending; a request in progress is cancelled, so its events may be sent again.
    func stop() {
        wakes.continuation.finish()
        state.withLock { state in
            state.target = nil
            state.running?.cancel()
        }
        alarm.end()
    }

    private var now: Double { time.moment.boottime / .seconds(1) }

    /// Sends until there is nothing more to send now.
    private func work() async {
        while !Task.isCancelled {
            let (target, action) = state.withLock { state in
                (state.target, state.machine.next(hasEvents: history.hasEvents, at: now))
            }
            guard let target else { return }
            switch action {
            case .idle: return
            case .wait(let moment):
                return alarm.set(time.call(at: .seconds(moment)) { [wakes] in wakes.continuation.yield() })
            case .send(let limit): await send(limit, to: target)
            }
        }
    }

    private func send(_ limit: Int, to target: EventTarget) async {
        var result: DeliveryResult
        var batch: EventBatch?
        do {
            batch = try await history.events(limit: limit)
            // Only a phase of an outage was recorded, which is no event.
            guard let batch else { return }
            result = await target.send(try CloudEvents.body(batch, machine: machine), proxies: proxies)
        } catch {
            result = .failed("\(error)")
        }
        if Task.isCancelled { return }
        handle(result, batch, of: target)
    }

    private func handle(_ result: DeliveryResult, _ batch: EventBatch?, of target: EventTarget) {
        let count = batch?.events.count ?? 0
        let outcome = state.withLock { state -> (isSetAside: Bool, isNew: Bool, wasBroken: Bool)? in
            // The events are sent again to the collector that has taken its place.
            guard state.target == target else { return nil }
            let isSetAside = state.machine.ended(result, of: count, jitter: .random(in: 0...1), at: now)
            let old = state.problem
            state.problem = result.problem
            if result == .acknowledged { state.counts.acknowledged += count } else { state.counts.failures += 1 }
            if isSetAside { state.counts.refused += count }
            if result == .acknowledged || isSetAside { state.counts.lost += batch?.lost ?? 0 }
            return (isSetAside, result.problem != nil && result.problem != old, result.problem == nil && old != nil)
        }
        guard let (isSetAside, isNew, wasBroken) = outcome else { return }
        if let batch, result == .acknowledged || isSetAside {
            history.acknowledge(batch)
            if batch.lost > 0 {
                logger.warning("events were removed before they were delivered", metadata: ["lost": "\(batch.lost)"])
            }
        }
        let pending: Logger.Metadata = ["pending": "\(history.pendingEvents ?? 0)"]
        if isNew, let problem = result.problem {
            logger.warning("events are not delivered", metadata: pending.merging(["reason": "\(problem)"]) { $1 })
        }
        if isSetAside, let event = batch?.events.first {
            logger.warning(
                "an event is set aside, because the collector refuses it",
                metadata: ["id": "\(event.identifier)", "reason": "\(result.problem ?? "")"])
        }
        if wasBroken { logger.info("events are delivered again", metadata: pending) }
    }
}
