// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import NetworkState

extension HostEnvironment {
    /// Whether a connection can be watched: its packets leave this machine, and the other end's address does not lack its
    /// interface, as a link-local one does here.
    package static func canWatchConnection(from local: NetworkAddress, to remote: NetworkAddress) -> Bool {
        !local.isLoopback && local != remote && !remote.isLinkLocal
    }

    /// Watches whether packets of an established connection can leave this machine: it still has the local address, and
    /// there is a route from it to the other end.
    ///
    /// It watches the network namespace of the calling thread, and sends nothing.
    ///
    /// - Parameters:
    ///   - local: the connection's address on this machine.
    ///   - remote: the address of the other end.
    ///   - receive: called with the current answer, and then after each change of the network; one call at a time,
    ///     quickly, outside any lock.
    package static func watchConnection(
        from local: NetworkAddress, to remote: NetworkAddress, _ receive: @escaping @Sendable (Bool) -> Void
    ) -> UpdateSubscription {
        let lookup = RouteLookup(to: remote, source: local)
        let subscription = KernelSource.shared().subscribe(watching: [lookup]) { update in
            // If the network cannot be seen, nothing is known to be lost.
            if case .unavailable = update.snapshot.visibility { return receive(true) }
            guard let evaluation = update.state.route(lookup) else { return }
            receive(evaluation.status == .satisfied)
        }
        return UpdateSubscription { subscription.cancel() }
    }
}
#endif
