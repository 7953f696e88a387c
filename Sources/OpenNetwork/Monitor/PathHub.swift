// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import NetworkModel
import NetworkState
import SystemSupport
import Synchronization

/// Serves every monitor of one source of network state.
///
/// Monitors with the same filter form a group: a new state is evaluated once per group, and the group receives the path
/// only if it differs. Paths are queued while the lock is held, which keeps them in the order of the states, and are
/// delivered by one thread at a time, outside the lock: passing a path to a waiting task takes that task's lock, and a
/// task that is cancelled removes its registration while it holds that lock.
final class PathHub: Sendable {
    /// Receives a path, and whether it differs from the last one in a way that `NWPath` shows.
    ///
    /// It must return quickly and run no user code.
    typealias Delivery = @Sendable (_ path: NWPath, _ isVisible: Bool) -> Void

    /// Identifies one registration.
    struct Registration: Hashable {
        fileprivate let filter: PathFilter
        fileprivate let number: UInt64
    }

    /// Guarded by the lock; an object, so that a change needs no second search for the filter.
    fileprivate final class Group {
        let filter: PathFilter
        var path: NWPath?
        /// In the order of registration, and therefore of their numbers.
        var deliveries: [(number: UInt64, deliver: Delivery)] = []

        init(_ filter: PathFilter) { self.filter = filter }

        func remove(_ number: UInt64) -> Delivery? {
            guard let place = deliveries.firstIndex(where: { $0.number == number }) else { return nil }
            return deliveries.remove(at: place).deliver
        }
    }

    /// A queued path: for a new monitor, or for all monitors that were in the group when the path was evaluated.
    private enum PendingDelivery {
        case one(NWPath, Delivery)
        case all(NWPath, isVisible: Bool, [(number: UInt64, deliver: Delivery)])
    }

    fileprivate struct State {
        var update: NetworkUpdate?
        /// Programs use few different filters.
        var groups: [Group] = []
        var lastNumber: UInt64 = 0
        /// The number of the current subscription, active or being created; nil if there are no registrations.
        var current: UInt64?
        var lastSubscription: UInt64 = 0
        var subscription: UpdateSubscription?
    }

    private let state = Mutex(State())
    private let queue = DeliveryQueue<PendingDelivery>()
    private let source: any NetworkStateSource

    init(_ source: any NetworkStateSource) { self.source = source }

    /// Returns the hub of the calling thread's network namespace.
    static func current() -> PathHub {
        let source = KernelSource.shared()
        return registry.withLock { registry in
            if let hub = registry.lazy.compactMap(\.hub).first(where: { $0.source === source }) { return hub }
            let hub = PathHub(source)
            registry = registry.filter { $0.hub != nil }
            registry.append(WeakHub(hub: hub))
            return hub
        }
    }

    private struct WeakHub { weak var hub: PathHub? }
    private static let registry = Mutex<[WeakHub]>([])

    /// Registers a delivery.
    ///
    /// It receives the current path as soon as it is known, and then each different one, one at a time.
    func add(_ filter: PathFilter, _ delivery: @escaping Delivery) -> Registration {
        let (registration, newSubscription) = state.withLock { state -> (Registration, UInt64?) in
            state.lastNumber += 1
            let registration = Registration(filter: filter, number: state.lastNumber)
            state.group(filter).deliveries.append((registration.number, delivery))
            if let path = state.currentPath(filter) {
                queue.append(.one(path, delivery))
            }
            guard state.current == nil else { return (registration, nil) }
            state.lastSubscription += 1
            state.current = state.lastSubscription
            return (registration, state.lastSubscription)
        }
        deliverQueued()
        if let newSubscription { subscribe(newSubscription) }
        return registration
    }

    /// Ends a registration.
    ///
    /// A path that another thread is already delivering may still arrive after this returns.
    func remove(_ registration: Registration) {
        // The delivery is released outside the lock: it may hold the last reference to a monitor, and that to a user's
        // handler.
        let (ended, _) = state.withLock { state -> (UpdateSubscription?, Delivery?) in
            let group = state.groups.first { $0.filter == registration.filter }
            let delivery = group?.remove(registration.number)
            state.groups.removeAll { $0.deliveries.isEmpty }
            guard state.groups.isEmpty else { return (nil, delivery) }
            defer { (state.current, state.update, state.subscription) = (nil, nil, nil) }
            return (state.subscription, delivery)
        }
        ended?.cancel()
    }

    private func subscribe(_ number: UInt64) {
        // The source keeps the hub alive while there are registrations.
        let subscription = source.subscribe { update in self.receive(update, of: number) }
        // Meanwhile all registrations may have ended, and new ones may have created their own subscription.
        let isCurrent = state.withLock { state in
            guard state.current == number else { return false }
            state.subscription = subscription
            return true
        }
        if !isCurrent { subscription.cancel() }
    }

    private func receive(_ update: NetworkUpdate, of subscription: UInt64) {
        let last = state.withLock { state -> NetworkUpdate? in
            guard state.current == subscription else { return nil }
            let last = state.update
            state.update = update
            let isSame = last.map(update.hasSamePaths) ?? false
            for group in state.groups {
                let old = group.path
                if isSame, old != nil { continue }
                let networkPath = PathEvaluator(update.snapshot).evaluate(group.filter)
                if let old, old.isExactly(networkPath) { continue }
                let path = NWPath(networkPath, allowedBy: group.filter)
                group.path = path
                queue.append(.all(path, isVisible: old != path, group.deliveries))
            }
            return last
        }
        // The last state is released after the delivery, because that takes 1,400 instructions.
        withExtendedLifetime(last) { deliverQueued() }
    }

    private func deliverQueued() {
        queue.drain { delivery in
            switch delivery {
            case .one(let path, let deliver): deliver(path, true)
            case .all(let path, let isVisible, let all): for (_, deliver) in all { deliver(path, isVisible) }
            }
        }
    }
}

extension PathHub.State {
    /// Returns a filter's group, which is created if necessary.
    fileprivate mutating func group(_ filter: PathFilter) -> PathHub.Group {
        if let group = groups.first(where: { $0.filter == filter }) { return group }
        let group = PathHub.Group(filter)
        groups.append(group)
        return group
    }

    /// Returns a group's path, evaluating it if necessary; nil while the state is unknown.
    fileprivate mutating func currentPath(_ filter: PathFilter) -> NWPath? {
        let group = group(filter)
        if let path = group.path { return path }
        guard let update else { return nil }
        let path = NWPath(PathEvaluator(update.snapshot).evaluate(filter), allowedBy: filter)
        group.path = path
        return path
    }
}

#endif
