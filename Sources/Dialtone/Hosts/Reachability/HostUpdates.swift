// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The reports about one host's reachability, as returned by ``HostReachability/updates(checkingEvery:)``.
public struct HostUpdates: AsyncSequence, Sendable {
    let host: HostReachability
    /// The time from a report to the next check; nil disables it.
    let interval: Duration?
    /// Whether to deliver reports that do not differ from the one before.
    var includesUnchanged = false

    /// Begins an iteration, which evaluates the host for itself.
    public func makeAsyncIterator() -> Iterator {
        // A slow loop gets the newest report only.
        let (stream, continuation) = AsyncStream.makeStream(of: HostReport.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = HostWatcher(host, interval: interval, includesUnchanged: includesUnchanged) {
            continuation.yield($0)
        }
        continuation.onTermination = { _ in watcher.cancel() }
        watcher.start()
        return Iterator(stream: stream.makeAsyncIterator())
    }

    /// Delivers one report after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncStream<HostReport>.Iterator

        /// The next report; nil once the task is cancelled.
        public mutating func next() async -> HostReport? { await stream.nextElement() }
    }
}

/// Evaluates a host whenever the view of the network changes and at an interval, and delivers the reports, by default each
/// different one, in order.
final class HostWatcher: Sendable {
    private struct State: ~Copyable {
        var watch: HostRoutingWatch?
        var watched: Set<NetworkAddress>
        /// The view that the newest evaluation started or ended with.
        var view: HostView?
        var evaluation: Task<Void, Never>?
        /// When the first of the evaluations started that have replaced each other without a report; nil while none runs.
        var unreportedSince: ContinuousClock.Instant?
        /// The newest view, if it waits for the end of the evaluation that runs.
        var next: HostView?
        /// Waits for the next periodic evaluation.
        var pause: Task<Void, Never>?
        /// Counts evaluations, so that an outdated one that ends late is recognized.
        var generation: UInt64 = 0
        var last: HostReport?
        /// A watcher has one receiver, so it needs no `Broadcaster`.
        let queue = DeliveryQueue<HostReport>()
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let host: HostReachability
    private let interval: Duration?
    private let includesUnchanged: Bool
    private let deliver: @Sendable (HostReport) -> Void

    /// Creates a watcher; `start()` starts it.
    ///
    /// - Parameters:
    ///   - host: the host to watch.
    ///   - interval: the time after an evaluation until the next periodic one; nil disables it.
    ///   - includesUnchanged: whether to deliver reports that do not differ from the one before.
    ///   - deliver: called with each report, one call at a time, quickly.
    init(
        _ host: HostReachability, interval: Duration?, includesUnchanged: Bool = false,
        deliver: @escaping @Sendable (HostReport) -> Void
    ) {
        self.host = host
        self.interval = interval
        self.includesUnchanged = includesUnchanged
        self.deliver = deliver
        state = Mutex(State(watched: host.target.host.knownAddresses))
    }

    /// Starts to watch.
    func start() {
        let watch = host.environment.routing.watch(host.target.host.knownAddresses) { [weak self] in self?.receive($0) }
        let isUnwanted = state.withLock { state in
            if !state.isCancelled { state.watch = watch }
            return state.isCancelled
        }
        if isUnwanted { watch.cancel() }
        catchUp()
    }

    /// Ends it; may be called more than once.
    func cancel() {
        let (watch, tasks) = state.withLock { state in
            state.isCancelled = true
            return (state.watch, [state.evaluation, state.pause])
        }
        watch?.cancel()
        for task in tasks { task?.cancel() }
    }

    private func receive(_ view: HostView) {
        let old = state.withLock { state -> [Task<Void, Never>?] in
            guard !state.isCancelled, view.isNews(after: state.next ?? state.view) else { return [] }
            // A network that changes faster than the host answers must not keep its state from being reported.
            if let since = state.unreportedSince, host.environment.time.now - since >= host.timeout {
                state.next = view
                return []
            }
            return begin(view, &state)
        }
        for task in old { task?.cancel() }
    }

    /// Starts an evaluation, and returns the tasks that it replaces, for the caller to cancel.
    private func begin(_ view: HostView, _ state: inout sending State) -> [Task<Void, Never>?] {
        let old = [state.evaluation, state.pause]
        state.view = view
        state.pause = nil
        state.unreportedSince = state.unreportedSince ?? host.environment.time.now
        state.generation += 1
        state.evaluation = Task { [weak self, host, generation = state.generation] in
            let (report, extended) = await host.evaluate(view, since: host.environment.time.now)
            self?.finish(generation, report, extended)
        }
        return old
    }

    /// Starts one after the interval, unless another has started before.
    private func pause(_ state: inout sending State) {
        guard let interval else { return }
        state.pause = Task { [weak self, time = host.environment.time, generation = state.generation] in
            do { try await time.sleep(for: interval) } catch { return }
            self?.evaluateAgain(generation)
        }
    }

    private func evaluateAgain(_ generation: UInt64) {
        state.withLock { state in
            guard generation == state.generation, !state.isCancelled, let view = state.view else { return }
            // No earlier evaluation is running.
            _ = begin(view, &state)
        }
    }

    private func finish(_ generation: UInt64, _ report: HostReport, _ view: HostView) {
        let watched = host.target.host.knownAddresses.union(report.resolution?.value ?? [])
        let (mustChange, queue) = state.withLock { state in
            // A newer evaluation has started: this one is outdated.
            guard generation == state.generation, !state.isCancelled else { return (false, state.queue) }
            state.view = view
            state.unreportedSince = nil
            if let next = state.next {
                state.next = nil
                // Those that it replaces have ended.
                _ = begin(next, &state)
            } else {
                pause(&state)
            }
            if !includesUnchanged, let last = state.last, report.changes(since: last).isEmpty {
                // No relevant change.
            } else {
                state.last = report
                state.queue.append(report)
            }
            defer { state.watched = watched }
            return (watched != state.watched, state.queue)
        }
        // In the order of the evaluations, and outside the lock, because a subscriber that is ending takes the lock.
        queue.drain(deliver)
        if mustChange { catchUp() }
    }

    /// Watches the addresses that were resolved.
    private func catchUp() {
        let (watch, watched) = state.withLock { ($0.watch, $0.watched) }
        if watched != host.target.host.knownAddresses { watch?.watch(watched) }
    }
}

extension HostView {
    /// Whether this differs from an earlier view in anything that both contain.
    fileprivate func isNews(after old: HostView?) -> Bool {
        guard let old else { return true }
        return path != old.path || nameServers != old.nameServers
            || searchDomains != old.searchDomains
            || routes.contains { address, route in old.routes[address].map { $0 != route } ?? false }
    }
}
