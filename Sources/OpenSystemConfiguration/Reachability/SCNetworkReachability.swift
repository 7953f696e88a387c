// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import Synchronization

/// A host, address or name whose reachability can be queried and watched.
///
/// ```swift
/// if let target = SCNetworkReachabilityCreateWithName(nil, "example.com") {
///     SCNetworkReachabilitySetCallback(target, { _, flags, _ in print(flags.contains(.reachable)) }, nil)
///     SCNetworkReachabilitySetDispatchQueue(target, .main)
/// }
/// ```
///
/// Reachable means that packets to the target have a route out of this host. No packet is sent, and whether the target
/// answers is a different question. A target uses the network namespace of the thread that schedules or queries it.
///
/// Source: Apple's documentation of `SCNetworkReachability`; configd.
public final class SCNetworkReachability: Sendable {
    private struct State {
        var client: Client?
        /// Whether the old client has been released, and the new one is not set yet.
        var isReplacingClient = false
        /// Whether a callout became due during the replacement.
        var owesCallout = false
        var schedule = ScheduleMachine<ScheduledRunLoop>()
        var watch: ScheduledWatch?
    }

    let destination: Destination
    private let fixedHub: ReachabilityHub?
    private let pace: ResolutionPace
    private let state = Mutex(State())

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - destination: the address, name or default route to watch.
    ///   - hub: the hub to use; nil means that of the network namespace in which the target is used.
    ///   - pace: the intervals at which names are resolved again.
    package init(_ destination: Destination, hub: ReachabilityHub? = nil, pace: ResolutionPace = ResolutionPace()) {
        self.destination = destination
        fixedHub = hub
        self.pace = pace
    }

    private var hub: ReachabilityHub { fixedHub ?? .current() }

    // MARK: Flags

    /// The flags: the last known ones while the target is scheduled, otherwise the current ones.
    var flags: SCNetworkReachabilityFlags {
        if let known = state.withLock({ $0.watch })?.readFlags() { return known }
        let evaluated = hub.readNow(destination.lookupsAtFirst)
        return TargetEvaluator(evaluated: evaluated).evaluate(destination)?.flags ?? []
    }

    // MARK: The client

    /// Replaces the callback and its context.
    func setClient(_ callout: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext?) {
        // The old client is released before the new one is retained, both outside the lock.
        let hasNew = unsafe callout != nil || context != nil
        exchange(nil, isReplacing: hasNew)
        guard hasNew else { return }
        unsafe exchange(Client(callout, context), isReplacing: false)
        let owing = state.withLock { state in
            defer { state.owesCallout = false }
            return state.owesCallout ? state.watch : nil
        }
        owing?.requestCallout()
    }

    private func exchange(_ client: Client?, isReplacing: Bool) {
        let old = state.withLock { state in
            defer {
                state.client = client
                state.isReplacingClient = isReplacing
            }
            return state.client
        }
        withExtendedLifetime(old) {}
    }

    /// Calls the client, on the queue or run loop on which the target is scheduled, with no lock held.
    func callOut(_ flags: SCNetworkReachabilityFlags) {
        // Only the call decides how long the client lives.
        let call = Client.Call(
            state.withLock { state in
                if state.isReplacingClient { state.owesCallout = true }
                return state.client
            })
        call?.make(self, flags)
    }

    // MARK: Scheduling

    func schedule(on queue: DispatchQueue) -> Bool {
        let watch = ScheduledWatch(self, hub, pace, QueueDelivery(queue))
        let outcome = state.withLock { state in
            let outcome = state.schedule.setQueue()
            if outcome == .start { state.watch = watch }
            return outcome
        }
        guard outcome == .start else { return false }
        watch.begin()
        return true
    }

    func unschedule() -> Bool {
        let (outcome, watch) = state.withLock { state in
            let outcome = state.schedule.clearQueue()
            defer { if outcome == .stop { state.watch = nil } }
            return (outcome, state.watch)
        }
        guard outcome == .stop else { return false }
        watch?.end()
        return true
    }

    func schedule(in place: ScheduledRunLoop) -> Bool {
        let newWatch = ScheduledWatch(self, hub, pace, RunLoopDelivery())
        let (outcome, watch) = state.withLock { state in
            let outcome = state.schedule.add(place)
            if outcome == .start { state.watch = newWatch }
            return (outcome, state.watch)
        }
        switch outcome {
        case .start, .add: (watch?.delivery as? RunLoopDelivery)?.add(place)
        case .unchanged: break
        default: return false
        }
        if outcome == .start { newWatch.begin() }
        return true
    }

    func unschedule(from place: ScheduledRunLoop) -> Bool {
        let (outcome, watch) = state.withLock { state in
            let outcome = state.schedule.remove(place)
            defer { if outcome == .stop { state.watch = nil } }
            return (outcome, state.watch)
        }
        switch outcome {
        case .remove: (watch?.delivery as? RunLoopDelivery)?.remove(place)
        case .stop: watch?.end()
        case .unchanged: break
        default: return false
        }
        return true
    }
}

extension SCNetworkReachability: Hashable {
    /// Returns whether both are the same target.
    public static func == (lhs: SCNetworkReachability, rhs: SCNetworkReachability) -> Bool { lhs === rhs }

    /// Hashes the target's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

#endif
