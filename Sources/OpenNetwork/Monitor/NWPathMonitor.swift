// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import Dispatch
package import NetworkModel
package import NetworkState
import Synchronization

/// Watches the paths that connections can use, and reports every change.
///
/// ```swift
/// let monitor = NWPathMonitor()
/// monitor.pathUpdateHandler = { path in
///     print(path.status == .satisfied ? "connected" : "not connected")
/// }
/// monitor.start(queue: .main)
/// ```
///
/// The handler receives the current path soon after `start`, even if nothing changes, and then each change, in order,
/// on the queue. A started monitor lives until `cancel()`, even without other references to it. A cancelled monitor
/// cannot be started again: create a new one.
///
/// On Linux the kernel reports where packets would go; no packet is sent and no privilege is needed. The monitor
/// watches the network namespace of the thread that starts it, and all monitors of a namespace share one set of
/// sockets.
///
/// After `fork()` without `exec`, the parent's monitors stay silent in the child: create new ones there. If the parent
/// has used Dispatch, the child lacks Dispatch's threads. Then only handlers on `.main` run, if the main thread forked
/// and runs its run loop; `currentPath` follows the network without them. Such a child is safe only if the parent's
/// other threads were idle at the fork, because it inherits the locks that they held.
///
/// Source: Apple's documentation of `NWPathMonitor`.
public final class NWPathMonitor: Sendable {
    // Not a `Broadcaster`: a path becomes the current one when the client's queue delivers it, and what is on its way
    // there is dropped after `cancel()`.
    fileprivate struct State {
        var currentPath = NWPath.unstarted
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        /// Delivers one path at a time, even if the caller's queue is concurrent.
        var deliveryQueue: DispatchQueue?
        var phase = Phase.idle
        /// The last path of the source, which may still be on its way to the queue.
        var latest: EvaluatedPath?
        var iterations: [(number: UInt64, continuation: AsyncStream<NWPath>.Continuation)] = []
        var lastIteration: UInt64 = 0
        /// Whether the first path has arrived.
        var hasPath = false
        /// Whether a handler was added to a monitor that was being iterated, and has not received the current path yet.
        var owesCurrentPath = false
        /// Whether changes that `NWPath` does not show are reported as well.
        var reportsDiagnosis: Bool
        /// Increases whenever the monitor stops watching, so that earlier paths are dropped.
        var era: UInt64 = 0
    }

    fileprivate enum Phase {
        case idle
        /// The monitor has decided to start, but has not subscribed yet.
        case starting
        case watching(UpdateSubscription)
        case cancelled
    }

    private let state: Mutex<State>
    private let filter: PathFilter
    private let fixedSource: (any NetworkStateSource)?

    /// Watches every type of interface.
    public convenience init() {
        self.init(PathFilter())
    }

    /// Watches only interfaces of one type: the path is satisfied when one of those is usable.
    public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
        self.init(PathFilter(requiredType: requiredInterfaceType))
    }

    /// Watches every type of interface except these.
    public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        self.init(PathFilter(prohibitedTypes: Set(prohibitedInterfaceTypes)))
    }

    /// Watches the interfaces that a filter allows.
    ///
    /// - Parameters:
    ///   - source: the source of the network's state; nil means the kernel.
    ///   - reportsDiagnosis: whether to also report changes that `NWPath` does not show, such as a different diagnosis.
    package init(_ filter: PathFilter, source: (any NetworkStateSource)? = nil, reportsDiagnosis: Bool = false) {
        self.filter = filter
        state = Mutex(State(reportsDiagnosis: reportsDiagnosis))
        fixedSource = source
    }

    /// Reports changes that `NWPath` does not show as well, such as another diagnosis.
    package func reportDiagnosis() { state.withLock { $0.reportsDiagnosis = true } }

    /// The latest path: before the first update, an unsatisfied one without interfaces; after `cancel()`, the last one.
    public var currentPath: NWPath {
        get { state.withLock { $0.currentPath } }
        set { state.withLock { $0.currentPath = newValue } }
    }

    /// The handler that is called with each path, on the queue passed to `start(queue:)`.
    ///
    /// It is read at each delivery: a handler that is set later does not receive earlier paths. Nil discards paths.
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            // The old handler is released outside the lock, because releasing it may release an object that cancels
            // this monitor.
            _ = state.withLock { state -> (@Sendable (NWPath) -> Void)? in
                defer { state.handler = newValue }
                return state.handler
            }
        }
    }

    /// The queue passed to `start(queue:)`; nil before that call.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// Starts watching, and delivers paths on this queue.
    ///
    /// Later calls, and calls after `cancel()`, do nothing.
    public func start(queue: DispatchQueue) {
        let deliveryQueue = DispatchQueue(label: "dialtone.path", target: queue)
        let wasIterating = state.withLock { state -> Bool? in
            guard state.queue == nil, !state.isCancelled else { return nil }
            state.queue = queue
            state.deliveryQueue = deliveryQueue
            if case .idle = state.phase {
                state.phase = .starting
                return false
            }
            state.owesCurrentPath = true
            return true
        }
        switch wasIterating {
        case nil: return
        case false?: register()
        case true?: deliveryQueue.async { self.deliverCurrentPath() }
        }
    }

    /// Stops watching permanently.
    ///
    /// A handler call in progress may still run to its end.
    public func cancel() {
        let (phase, iterations) = state.withLock { state in
            defer {
                state.phase = .cancelled
                state.iterations = []
            }
            return (state.phase, state.iterations)
        }
        if case .watching(let subscription) = phase { subscription.cancel() }
        for iteration in iterations { iteration.continuation.finish() }
    }

    private func register() {
        let source = fixedSource ?? KernelSource.shared()
        let era = state.withLock { $0.era }
        let isInForkedChild = KernelSource.isInForkedChild
        // The source holds the monitor until the subscription ends.
        let subscription = source.subscribe { update in
            self.receive(update.state.path(self.filter), of: era, isInForkedChild: isInForkedChild)
        }
        let isUnwanted = state.withLock { state in
            guard case .starting = state.phase else { return true }
            state.phase = .watching(subscription)
            return false
        }
        if isUnwanted { subscription.cancel() }
    }

    /// Receives paths from the source, in order: queues them for the handler or, without a queue, passes them to the
    /// iterations.
    ///
    /// A path may still arrive after the subscription has ended: after `cancel()`, or from an earlier era, it is
    /// dropped. A path that equals the last one is dropped too.
    ///
    /// - Parameter isInForkedChild: whether the queue may never run. The path becomes the current one here, so that
    ///   `currentPath` follows the network even then.
    private func receive(_ latest: EvaluatedPath, of era: UInt64, isInForkedChild: Bool) {
        let path = NWPath(latest)
        // In one step: `start(queue:)` must find a path that is not queued to be the current one.
        let (last, isVisible, queue, iterations) = state.withLock { state in
            let last = state.latest
            guard !state.isCancelled, state.era == era, last !== latest, last?.path != latest.path else {
                return (last, false, nil as DispatchQueue?, [] as [AsyncStream<NWPath>.Continuation])
            }
            state.latest = latest
            // Other changes only replace the current path, unless the monitor reports the diagnosis too.
            let isVisible = last.map { NWPath($0) != path } ?? true
            if isInForkedChild { state.currentPath = path }
            guard state.deliveryQueue == nil else { return (last, isVisible, state.deliveryQueue, []) }
            return (last, isVisible, nil, state.accept(path, isVisible: isVisible, of: era).iterations)
        }
        // The last path is released after the delivery.
        withExtendedLifetime(last) {
            queue?.async { self.deliver(path, isVisible: isVisible, of: era) }
            for iteration in iterations { iteration.yield(path) }
        }
    }

    /// On the queue: the path becomes the current one, then the handler and the iterations receive it.
    private func deliver(_ path: NWPath, isVisible: Bool, of era: UInt64) {
        // The last path is released after the handler has run, because that takes 700 instructions.
        let (last, receivers) = state.withLock {
            ($0.currentPath, $0.accept(path, isVisible: isVisible, of: era))
        }
        withExtendedLifetime(last) {
            receivers.handler?(path)
            for iteration in receivers.iterations { iteration.yield(path) }
        }
    }

    /// Delivers the current path on the queue, for a handler added to a monitor that is being iterated.
    private func deliverCurrentPath() {
        let (handler, path) = state.withLock { state in
            let isOwed = state.owesCurrentPath && state.hasPath && !state.isCancelled
            state.owesCurrentPath = false
            return (isOwed ? state.handler : nil, state.currentPath)
        }
        handler?(path)
    }

    // MARK: Iterations

    /// Begins an iteration: it gets the current path first, and then the newest one whenever the loop requests it.
    package func iterate() -> AsyncStream<NWPath> {
        let (stream, continuation) = AsyncStream.makeStream(of: NWPath.self, bufferingPolicy: .bufferingNewest(1))
        let (identifier, mustStart) = state.withLock { state -> (UInt64?, Bool) in
            guard !state.isCancelled else { return (nil, false) }
            state.lastIteration += 1
            state.iterations.append((state.lastIteration, continuation))
            if state.hasPath { continuation.yield(state.currentPath) }
            guard case .idle = state.phase else { return (state.lastIteration, false) }
            state.phase = .starting
            return (state.lastIteration, true)
        }
        guard let identifier else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.endIteration(identifier) }
        if mustStart { register() }
        return stream
    }

    /// Stops watching after the last iteration, unless `start(queue:)` was called.
    private func endIteration(_ identifier: UInt64) {
        let ended = state.withLock { state -> UpdateSubscription? in
            state.iterations.removeAll { $0.number == identifier }
            guard state.iterations.isEmpty, state.queue == nil, case .watching(let subscription) = state.phase
            else { return nil }
            state.phase = .idle
            state.hasPath = false
            state.latest = nil
            state.era += 1
            return subscription
        }
        ended?.cancel()
    }
}

extension NWPathMonitor.State {
    fileprivate var isCancelled: Bool {
        if case .cancelled = phase { true } else { false }
    }

    /// Sets the current path, and returns its receivers.
    ///
    /// There are no receivers after `cancel()`, or for a path from an earlier era.
    fileprivate mutating func accept(
        _ path: NWPath, isVisible: Bool, of era: UInt64
    ) -> (handler: (@Sendable (NWPath) -> Void)?, iterations: [AsyncStream<NWPath>.Continuation]) {
        guard !isCancelled, self.era == era else { return (nil, []) }
        currentPath = path
        hasPath = true
        guard isVisible || reportsDiagnosis else { return (nil, []) }
        owesCurrentPath = false
        return (handler, iterations.map(\.continuation))
    }
}

extension NWPathMonitor: CustomDebugStringConvertible {
    /// The monitor and its current path on one line.
    public var debugDescription: String { "NWPathMonitor(\(currentPath.debugDescription))" }
}

#endif
