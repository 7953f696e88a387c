//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Where work waits for connectivity: one monitor for all of it.
///
/// Most programs need only `withConnectivity`, which uses the shared one. A room of one's own has its own monitor, its own
/// limit of how much is let go at once, and its own budget for retries.
///
/// It begins to follow its monitor with the first work, and follows it as long as it lives.
public final class WaitingRoom: Sendable {
    /// The process's own room.
    ///
    /// Work that waits for a path or a host is served by a monitor that sends nothing; only work that waits for the Internet
    /// to be verified starts `ConnectivityMonitor.shared`, which checks.
    public static let shared = WaitingRoom(
        Configuration(), time: .system, random: { Double.random(in: 0..<1) }, passive: passiveMonitor,
        verified: { ConnectivityMonitor.shared })

    /// The room of all sessions' requests.
    ///
    /// Work in the shared room makes requests, and must not wait for a place that it holds itself.
    package static let ofSessions = WaitingRoom(
        Configuration(), time: .system, random: { Double.random(in: 0..<1) }, passive: passiveMonitor,
        verified: { ConnectivityMonitor.shared })

    private let state: Mutex<State>
    let configuration: Configuration
    package let time: MonitorTime
    let random: @Sendable () -> Double
    private let sources: [WaitingRoomMachine.View: @Sendable () -> (any ConnectivitySource)?]

    /// Makes a room.
    ///
    /// - Parameters:
    ///   - monitor: who knows how the network is. On Linux it watches the network namespace of the thread that starts it.
    ///   - configuration: how work is let go, and how often it may be tried again.
    ///   - time: the clocks.
    ///   - random: numbers from 0 up to 1, for the jitter.
    /// - Throws: the first value of the configuration that cannot be.
    public convenience init(
        _ monitor: ConnectivityMonitor, configuration: Configuration = Configuration(),
        time: MonitorTime = .system, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(WaitingPolicyError) {
        try configuration.validate()
        self.init(configuration, time: time, random: random, passive: { monitor }, verified: { monitor })
    }

    init(
        _ configuration: Configuration, time: MonitorTime, random: @escaping @Sendable () -> Double,
        passive: @escaping @Sendable () -> (any ConnectivitySource)?,
        verified: @escaping @Sendable () -> (any ConnectivitySource)?
    ) {
        self.configuration = configuration
        self.time = time
        self.random = random
        sources = [.passive: passive, .verified: verified]
        state = Mutex(
            State(
                machine: WaitingRoomMachine(
                    limit: configuration.concurrencyLimit, spread: configuration.releaseSpread, random: random),
                budget: RetryBudget(
                    capacity: configuration.retryBudget, refillInterval: configuration.retryRefillInterval,
                    at: time.now.elapsed)))
    }

    deinit {
        let (following, cancelTimer) = state.withLock { (Array($0.following.values), $0.cancelTimer) }
        for following in following { following.cancel() }
        cancelTimer?()
    }

    /// A monitor of this machine's paths that sends nothing.
    ///
    /// Its configuration is the usual one, which is valid.
    @Sendable private static func passiveMonitor() -> (any ConnectivitySource)? {
        try? ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: nil, identifier: nil)
    }

    /// How much work waits at this moment.
    public var waitingCount: Int { state.withLock { $0.machine.count } }

    // MARK: Entering and leaving

    /// What happens to somebody in the room.
    package enum Event: Hashable, Sendable {
        case waiting(WaitReason)
        case admitted
        case expired(WaitReason?)
        case cancelled
    }

    private struct State {
        var machine: WaitingRoomMachine
        var budget: RetryBudget
        var mailboxes: [UInt64: Mailbox] = [:]
        var following: [WaitingRoomMachine.View: any ConnectivityFollowing] = [:]
        var begun: Set<WaitingRoomMachine.View> = []
        var lastIdentifier: UInt64 = 0
        var timer: Duration?
        var cancelTimer: MonitorTime.Cancellation?
    }

    /// What somebody has not yet read, or how to wake them.
    private struct Mailbox {
        var events: [Event] = []
        var reader: CheckedContinuation<Event, Never>?
    }

    /// The rooms in which the present task does work that was let go: what it makes wait there needs no place of its own.
    @TaskLocal static var occupied: Set<ObjectIdentifier> = []

    /// Enters; `next(_:)` tells what happens then, and `leave(_:)` must follow.
    package func enter(_ requirement: WaitRequirement, deadline: Duration?, earliest: Duration? = nil) -> UInt64 {
        let needsPlace = !Self.occupied.contains(ObjectIdentifier(self))
        follow(requirement.view)
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            state.mailboxes[state.lastIdentifier] = Mailbox()
            return state.lastIdentifier
        }
        act { machine, now in
            machine.enter(
                identifier, requirement, deadline: deadline, earliest: earliest, needsPlace: needsPlace, at: now)
        }
        return identifier
    }

    /// Leaves the line, or gives back the place among those who run.
    package func leave(_ identifier: UInt64) {
        state.withLock { _ = $0.mailboxes.removeValue(forKey: identifier) }
        act { machine, now in
            machine.leave(identifier, at: now) + machine.finish(identifier, at: now)
        }
    }

    /// The next thing that happens; `cancelled` at once when the task is.
    package func next(_ identifier: UInt64) async -> Event {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let event: Event? = state.withLock { state in
                    guard var mailbox = state.mailboxes[identifier] else { return .cancelled }
                    defer { state.mailboxes[identifier] = mailbox }
                    if !mailbox.events.isEmpty { return mailbox.events.removeFirst() }
                    mailbox.reader = continuation
                    return nil
                }
                if let event { continuation.resume(returning: event) }
            }
        } onCancel: {
            deliver([(identifier, .cancelled)])
        }
    }

    /// Pays for a retry; false when the budget is spent.
    func spend() -> Bool {
        let now = time.now.elapsed
        return state.withLock { $0.budget.spend(at: now) }
    }

    /// What is in the way of such work at this moment; nil when nothing is.
    package func obstacle(to requirement: WaitRequirement) -> WaitReason? {
        state.withLock { $0.machine.obstacle(to: requirement) }
    }

    /// Tells the monitor that work failed in a way that speaks against connectivity.
    func reportFailure(_ view: WaitingRoomMachine.View) { sources[view]?()?.report(.failed) }

    // MARK: Driving the machine

    private func follow(_ view: WaitingRoomMachine.View) {
        let isFirst = state.withLock { $0.begun.insert(view).inserted }
        guard isFirst else { return }
        let following = sources[view]?()?.follow { [weak self] connectivity in
            self?.act { $0.see(connectivity, view, at: $1) }
        }
        state.withLock { $0.following[view] = following }
    }

    private func act(_ change: (inout WaitingRoomMachine, Duration) -> [WaitingRoomMachine.Action]) {
        let now = time.now.elapsed
        let (actions, timer) = state.withLock { state in
            let actions = change(&state.machine, now)
            let next = state.machine.nextTime(after: now)
            guard next != state.timer else { return (actions, Duration??.none) }
            state.timer = next
            return (actions, .some(next))
        }
        if let timer { setTimer(timer) }
        deliver(
            actions.map { action in
                switch action {
                case .tell(let identifier, let reason): (identifier, .waiting(reason))
                case .admit(let identifier): (identifier, .admitted)
                case .expire(let identifier, let reason): (identifier, .expired(reason))
                }
            })
    }

    private func deliver(_ events: [(UInt64, Event)]) {
        let resumptions = state.withLock { state in
            events.compactMap { identifier, event -> (CheckedContinuation<Event, Never>, Event)? in
                guard let reader = state.mailboxes[identifier]?.reader else {
                    state.mailboxes[identifier]?.events.append(event)
                    return nil
                }
                state.mailboxes[identifier]?.reader = nil
                return (reader, event)
            }
        }
        for (reader, event) in resumptions { reader.resume(returning: event) }
    }

    private func setTimer(_ elapsed: Duration?) {
        let cancel = elapsed.map { elapsed in
            time.call(at: elapsed) { [weak self] in self?.timerFired(elapsed) }
        }
        let outdated = state.withLock { state -> MonitorTime.Cancellation? in
            guard state.timer == elapsed else { return cancel }
            defer { state.cancelTimer = cancel }
            return state.cancelTimer
        }
        outdated?()
    }

    private func timerFired(_ elapsed: Duration) {
        state.withLock { if $0.timer == elapsed { $0.timer = nil } }
        act { $0.timePassed(at: $1) }
    }
}
