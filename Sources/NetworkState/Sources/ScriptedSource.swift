//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink
import OrderedDelivery
import Synchronization

/// A source that says what it is told to: for tests, demonstrations, and hosts whose network is known otherwise.
public final class ScriptedSource: NetworkStateSource {
    private struct State {
        var subscribers = SubscriberList()
        var outbox = Outbox<SubscriberList.Delivery>()
    }

    private let state: Mutex<State>

    /// Makes a source.
    ///
    /// - Parameter snapshot: the state until the first `publish`; nil is "not known yet".
    public init(_ snapshot: NetworkSnapshot? = nil) {
        var state = State()
        if let snapshot { _ = state.subscribers.publish(snapshot) }
        self.state = Mutex(state)
    }

    /// Makes this the state, and tells every subscriber if it differs from the last.
    ///
    /// Returns when all have been told, unless a call is under way: then that one tells them.
    public func publish(_ snapshot: NetworkSnapshot) {
        deliver { $0.subscribers.publish(snapshot) }
    }

    /// Subscribes: see `NetworkStateSource`.
    ///
    /// Calls come on the thread that publishes or subscribes.
    public func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> NetworkStateSubscription {
        let identifier = state.withLock { $0.subscribers.add(receive) }
        deliver { state in
            state.subscribers.admit()
            return state.subscribers.greetings()
        }
        return NetworkStateSubscription { [weak self] in
            self?.state.withLock { $0.subscribers.remove(identifier) }
        }
    }

    /// Subscribes: see `NetworkStateSource`.
    ///
    /// A host that the script says nothing about has no answer yet.
    public func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let identifier = state.withLock { $0.subscribers.add(watching: hosts, receive) }
        deliver { state in
            state.subscribers.admit()
            return state.subscribers.greetings()
        }
        return HostSubscription(
            onWatch: { [weak self] hosts in
                self?.deliver { state in
                    state.subscribers.change(identifier, watching: hosts)
                    state.subscribers.admit()
                    return state.subscribers.greetings()
                }
            },
            onCancel: { [weak self] in
                self?.state.withLock { $0.subscribers.remove(identifier) }
            })
    }

    /// The questions of all subscribers together.
    public var watchedHosts: Set<RouteLookup> { state.withLock { $0.subscribers.watched.hosts } }

    private func deliver(_ calls: @Sendable (inout State) -> [SubscriberList.Delivery]) {
        let mustDeliver = state.withLock { state in
            state.outbox.put(contentsOf: calls(&state))
            return state.outbox.mustBeEmptied()
        }
        guard mustDeliver else { return }
        while let calls = state.withLock({ $0.outbox.takeAll() }) {
            for call in calls { call() }
        }
    }
}
