//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Dispatch
import NetworkState
import OrderedDelivery
import Synchronization

/// Serves every monitor of one source of network state.
///
/// Monitors with the same requirements form a group: a new state is judged once per group, and a group hears of it only when
/// its path differs. Paths are put into an outbox while the lock is held, which keeps them in the order of the states, and
/// are delivered from it by one thread at a time, outside the lock: to hand a path to a waiting task takes that task's
/// lock, and a task that is cancelled removes its registration while it holds that one.
final class PathHub: Sendable {
    /// Takes a path, quickly and without running anybody's code: it queues the rest.
    typealias Delivery = @Sendable (NWPath) -> Void

    /// Names one registration.
    struct Registration: Hashable {
        fileprivate let requirements: PathRequirements
        fileprivate let number: UInt64
    }

    fileprivate struct Group {
        var path: NWPath?
        var deliveries: [UInt64: Delivery] = [:]
    }

    /// A path on its way: to one who has just come, or to all of a group as it was when the path became known.
    fileprivate enum Parcel {
        case one(NWPath, Delivery)
        case all(NWPath, [UInt64: Delivery])
    }

    fileprivate struct State {
        var snapshot: NetworkSnapshot?
        var groups: [PathRequirements: Group] = [:]
        var lastNumber: UInt64 = 0
        /// The number of the present subscription, made or being made; nil while nobody is registered.
        var present: UInt64?
        var lastSubscription: UInt64 = 0
        var subscription: NetworkStateSubscription?
        /// What has yet to be delivered, in order.
        var outbox = Outbox<Parcel>()
    }

    private let state = Mutex(State())
    private let source: any NetworkStateSource

    init(_ source: any NetworkStateSource) { self.source = source }

    /// The hub of the calling thread's network namespace.
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
    /// It gets the current path as soon as that is known, then each different one, one at a time.
    func add(_ requirements: PathRequirements, _ delivery: @escaping Delivery) -> Registration {
        let (registration, newSubscription) = state.withLock { state -> (Registration, UInt64?) in
            state.lastNumber += 1
            let registration = Registration(requirements: requirements, number: state.lastNumber)
            state.groups[requirements, default: Group()].deliveries[registration.number] = delivery
            if let path = state.currentPath(requirements) {
                state.outbox.put(.one(path, delivery))
            }
            guard state.present == nil else { return (registration, nil) }
            state.lastSubscription += 1
            state.present = state.lastSubscription
            return (registration, state.lastSubscription)
        }
        emptyOutbox()
        if let newSubscription { subscribe(newSubscription) }
        return registration
    }

    /// Ends a registration.
    ///
    /// A path that is on its way already, on another thread, may still arrive after this returns.
    func remove(_ registration: Registration) {
        // The delivery is released outside the lock: it may be the last to hold a monitor, and that one somebody's handler.
        let (ended, _) = state.withLock { state -> (NetworkStateSubscription?, Delivery?) in
            let delivery = state.groups[registration.requirements]?.deliveries.removeValue(forKey: registration.number)
            if state.groups[registration.requirements]?.deliveries.isEmpty == true {
                state.groups[registration.requirements] = nil
            }
            guard state.groups.isEmpty else { return (nil, delivery) }
            defer { (state.present, state.snapshot, state.subscription) = (nil, nil, nil) }
            return (state.subscription, delivery)
        }
        ended?.cancel()
    }

    private func subscribe(_ number: UInt64) {
        // The source keeps the hub while somebody is registered.
        let subscription = source.subscribe { update in self.receive(update.snapshot, of: number) }
        // Everybody may have left meanwhile, and others come, who made a subscription of their own.
        let isPresent = state.withLock { state in
            guard state.present == number else { return false }
            state.subscription = subscription
            return true
        }
        if !isPresent { subscription.cancel() }
    }

    private func receive(_ snapshot: NetworkSnapshot, of subscription: UInt64) {
        state.withLock { state in
            guard state.present == subscription else { return }
            state.snapshot = snapshot
            for requirements in state.groups.keys {
                let contents = PathContents(snapshot, requirements)
                guard state.groups[requirements]?.path?.contents != contents else { continue }
                let path = NWPath(contents)
                state.groups[requirements]?.path = path
                state.outbox.put(.all(path, state.groups[requirements]?.deliveries ?? [:]))
            }
        }
        emptyOutbox()
    }

    /// Delivers what is in the outbox, unless another thread is at it.
    private func emptyOutbox() {
        guard state.withLock({ $0.outbox.mustBeEmptied() }) else { return }
        while let parcels = state.withLock({ $0.outbox.takeAll() }) {
            for parcel in parcels {
                switch parcel {
                case .one(let path, let delivery): delivery(path)
                case .all(let path, let deliveries): for delivery in deliveries.values { delivery(path) }
                }
            }
        }
    }
}

extension PathHub.State {
    /// A group's path, judged now if nobody has yet; nil while the state is not known.
    fileprivate mutating func currentPath(_ requirements: PathRequirements) -> NWPath? {
        if let path = groups[requirements]?.path { return path }
        guard let snapshot else { return nil }
        let path = NWPath(PathContents(snapshot, requirements))
        groups[requirements]?.path = path
        return path
    }
}

#endif
