//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Dispatch
import NetworkModel
import NetworkState
import DialtoneSupport
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

    fileprivate struct Group {
        var path: NWPath?
        var deliveries: [UInt64: Delivery] = [:]
    }

    /// A queued path: for a new monitor, or for all monitors that were in the group when the path was evaluated.
    private enum PendingDelivery {
        case one(NWPath, Delivery)
        case all(NWPath, isVisible: Bool, [UInt64: Delivery])
    }

    fileprivate struct State {
        var snapshot: NetworkSnapshot?
        var groups: [PathFilter: Group] = [:]
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
            if let hub = registry[ObjectIdentifier(source)]?.hub, hub.source === source { return hub }
            let hub = PathHub(source)
            registry = registry.filter { $0.value.hub != nil }
            registry[ObjectIdentifier(source)] = WeakHub(hub: hub)
            return hub
        }
    }

    private struct WeakHub { weak var hub: PathHub? }
    private static let registry = Mutex<[ObjectIdentifier: WeakHub]>([:])

    /// Registers a delivery.
    ///
    /// It receives the current path as soon as it is known, and then each different one, one at a time.
    func add(_ filter: PathFilter, _ delivery: @escaping Delivery) -> Registration {
        let (registration, newSubscription) = state.withLock { state -> (Registration, UInt64?) in
            state.lastNumber += 1
            let registration = Registration(filter: filter, number: state.lastNumber)
            state.groups[filter, default: Group()].deliveries[registration.number] = delivery
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
            let delivery = state.groups[registration.filter]?.deliveries.removeValue(forKey: registration.number)
            if state.groups[registration.filter]?.deliveries.isEmpty == true {
                state.groups[registration.filter] = nil
            }
            guard state.groups.isEmpty else { return (nil, delivery) }
            defer { (state.current, state.snapshot, state.subscription) = (nil, nil, nil) }
            return (state.subscription, delivery)
        }
        ended?.cancel()
    }

    private func subscribe(_ number: UInt64) {
        // The source keeps the hub alive while there are registrations.
        let subscription = source.subscribe { update in self.receive(update.snapshot, of: number) }
        // Meanwhile all registrations may have ended, and new ones may have created their own subscription.
        let isCurrent = state.withLock { state in
            guard state.current == number else { return false }
            state.subscription = subscription
            return true
        }
        if !isCurrent { subscription.cancel() }
    }

    private func receive(_ snapshot: NetworkSnapshot, of subscription: UInt64) {
        state.withLock { state in
            guard state.current == subscription else { return }
            state.snapshot = snapshot
            let evaluator = PathEvaluator(snapshot)
            for filter in state.groups.keys {
                let networkPath = evaluator.evaluate(filter)
                let old = state.groups[filter]?.path
                guard old?.networkPath != networkPath else { continue }
                let path = NWPath(networkPath)
                state.groups[filter]?.path = path
                queue.append(.all(path, isVisible: old != path, state.groups[filter]?.deliveries ?? [:]))
            }
        }
        deliverQueued()
    }

    private func deliverQueued() {
        queue.drain { delivery in
            switch delivery {
            case .one(let path, let deliver): deliver(path, true)
            case .all(let path, let isVisible, let all): for deliver in all.values { deliver(path, isVisible) }
            }
        }
    }
}

extension PathHub.State {
    /// Returns a group's path, evaluating it if necessary; nil while the state is unknown.
    fileprivate mutating func currentPath(_ filter: PathFilter) -> NWPath? {
        if let path = groups[filter]?.path { return path }
        guard let snapshot else { return nil }
        let path = NWPath(PathEvaluator(snapshot).evaluate(filter))
        groups[filter]?.path = path
        return path
    }
}

#endif
