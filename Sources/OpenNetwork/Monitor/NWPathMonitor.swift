//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

public import Dispatch
package import NetworkState
import Synchronization

/// Watches over what connections can use, and says so whenever that changes.
///
/// ```swift
/// let monitor = NWPathMonitor()
/// monitor.pathUpdateHandler = { path in
///     print(path.status == .satisfied ? "There is a way out." : "There is none.")
/// }
/// monitor.start(queue: .main)
/// ```
///
/// The handler gets the current path soon after `start`, even when nothing changes, and then each change, in order, on the
/// queue. A started monitor lives until `cancel()`, whether or not anybody else holds it. A cancelled one cannot be
/// started again: make a new one.
///
/// On Linux the kernel itself is asked where packets would go; no packet is sent and no privilege is needed. The monitor watches
/// the network namespace of the thread that starts it, and all monitors of a namespace share one set of sockets.
///
/// Source: Apple's documentation of `NWPathMonitor`.
public final class NWPathMonitor: Sendable {
    fileprivate struct State {
        var currentPath = NWPath.unstarted
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        /// Delivers one path at a time even when the queue is a concurrent one.
        var deliveryQueue: DispatchQueue?
        var phase = Phase.idle
        var iterations: [UInt64: AsyncStream<NWPath>.Continuation] = [:]
        var lastIteration: UInt64 = 0
        /// The first path has come.
        var hasPath = false
        /// The handler came to a monitor already being iterated, and has yet to hear of the current path.
        var owesCurrentPath = false
        /// Differs after each rest: a path that was under way before it comes too late.
        var era: UInt64 = 0
    }

    fileprivate enum Phase {
        case idle
        /// Between the decision to start and the registration.
        case starting
        case watching(PathHub, PathHub.Registration)
        case cancelled
    }

    private let state = Mutex(State())
    private let requirements: PathRequirements
    private let fixedHub: PathHub?

    /// Watches every type of interface.
    public convenience init() {
        self.init(PathRequirements())
    }

    /// Watches only interfaces of one type: the path is satisfied when one of those is usable.
    public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
        self.init(PathRequirements(requiredType: InterfaceType(requiredInterfaceType)))
    }

    /// Watches every type of interface but these.
    public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        self.init(PathRequirements(prohibitedTypes: Set(prohibitedInterfaceTypes.map(InterfaceType.init))))
    }

    /// Watches under any requirements, and where one is given, another source than the kernel.
    package init(_ requirements: PathRequirements, source: (any NetworkStateSource)? = nil) {
        self.requirements = requirements
        fixedHub = source.map(PathHub.init)
    }

    /// The path last seen: until the first update an unsatisfied one without interfaces, after `cancel()` the last.
    public var currentPath: NWPath {
        get { state.withLock { $0.currentPath } }
        set { state.withLock { $0.currentPath = newValue } }
    }

    /// What to call with each path, on the queue given to `start(queue:)`.
    ///
    /// It is looked up at each delivery: setting it later replays nothing, and nil only silences it.
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            // The old handler is released outside the lock: what it held may cancel this monitor on its way out.
            _ = state.withLock { state -> (@Sendable (NWPath) -> Void)? in
                defer { state.handler = newValue }
                return state.handler
            }
        }
    }

    /// The queue given to `start(queue:)`; nil before.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// Starts watching, and delivers on this queue.
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

    /// Stops watching for good.
    ///
    /// The handler is not called after a call that may already be under way.
    public func cancel() {
        let (phase, iterations) = state.withLock { state in
            defer {
                state.phase = .cancelled
                state.iterations = [:]
            }
            return (state.phase, state.iterations.values)
        }
        if case .watching(let hub, let registration) = phase { hub.remove(registration) }
        for iteration in iterations { iteration.finish() }
    }

    private func register() {
        let hub = fixedHub ?? PathHub.current()
        let era = state.withLock { $0.era }
        // The hub holds the monitor until the registration ends.
        let registration = hub.add(requirements) { path in self.receive(path, of: era) }
        let isUnwanted = state.withLock { state in
            guard case .starting = state.phase else { return true }
            state.phase = .watching(hub, registration)
            return false
        }
        if isUnwanted { hub.remove(registration) }
    }

    /// Takes a path from the hub, in order: queues it for the handler, or without a queue hands it to the iterations.
    ///
    /// One may still come after the registration has ended: after `cancel()`, and of an earlier era, it is dropped.
    private func receive(_ path: NWPath, of era: UInt64) {
        // In one step: of a path that is not queued `start(queue:)` finds that it is the current one.
        let (queue, iterations) = state.withLock { state in
            (state.deliveryQueue, state.deliveryQueue == nil ? state.accept(path, of: era).iterations : [])
        }
        queue?.async { self.deliver(path, of: era) }
        for iteration in iterations { iteration.yield(path) }
    }

    /// On the queue: the path becomes the current one, then the handler and the iterations get it.
    private func deliver(_ path: NWPath, of era: UInt64) {
        let (handler, iterations) = state.withLock { $0.accept(path, of: era) }
        handler?(path)
        for iteration in iterations { iteration.yield(path) }
    }

    /// On the queue, for a handler that comes to a monitor already being iterated.
    private func deliverCurrentPath() {
        let (handler, path) = state.withLock { state in
            let isOwed = state.owesCurrentPath && state.hasPath && !state.isCancelled
            state.owesCurrentPath = false
            return (isOwed ? state.handler : nil, state.currentPath)
        }
        handler?(path)
    }

    // MARK: Iterations

    /// Begins an iteration: the current path first, then the newest whenever the loop comes for it.
    func iterate() -> AsyncStream<NWPath> {
        let (stream, continuation) = AsyncStream.makeStream(of: NWPath.self, bufferingPolicy: .bufferingNewest(1))
        let (identifier, mustStart) = state.withLock { state -> (UInt64?, Bool) in
            guard !state.isCancelled else { return (nil, false) }
            state.lastIteration += 1
            state.iterations[state.lastIteration] = continuation
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

    /// The last iteration of a monitor that nobody started by hand lets it rest.
    private func endIteration(_ identifier: UInt64) {
        let ended = state.withLock { state -> (PathHub, PathHub.Registration)? in
            state.iterations[identifier] = nil
            guard state.iterations.isEmpty, state.queue == nil, case .watching(let hub, let registration) = state.phase
            else { return nil }
            state.phase = .idle
            state.hasPath = false
            state.era += 1
            return (hub, registration)
        }
        if let (hub, registration) = ended { hub.remove(registration) }
    }
}

extension NWPathMonitor.State {
    fileprivate var isCancelled: Bool {
        if case .cancelled = phase { true } else { false }
    }

    /// Makes a path the current one: who is to get it.
    ///
    /// Nobody after `cancel()`, and of an earlier era.
    fileprivate mutating func accept(
        _ path: NWPath, of era: UInt64
    ) -> (handler: (@Sendable (NWPath) -> Void)?, iterations: [AsyncStream<NWPath>.Continuation]) {
        guard !isCancelled, self.era == era else { return (nil, []) }
        currentPath = path
        hasPath = true
        owesCurrentPath = false
        return (handler, Array(iterations.values))
    }
}

extension NWPathMonitor: CustomDebugStringConvertible {
    /// The monitor and its current path on one line, for people.
    public var debugDescription: String { "NWPathMonitor(\(currentPath.debugDescription))" }
}

#endif
