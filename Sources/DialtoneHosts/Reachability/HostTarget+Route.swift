// SPDX-License-Identifier: Apache-2.0

extension HostTarget {
    /// Whether there is a route to this host.
    ///
    /// A name is resolved first. If that takes longer than the limit, there is no route.
    package func hasRoute(within limit: Duration = .seconds(1)) async -> Bool {
        await hasRoute(in: .live, within: limit)
    }

    func hasRoute(in environment: HostEnvironment, within limit: Duration = .seconds(1)) async -> Bool {
        await firstAnswer(until: .now + limit, late: false, cancelled: false) {
            var addresses = knownAddresses
            if addresses.isEmpty, case .name(let name) = host {
                addresses = Set((try? await environment.resolver.addresses(of: name, family: .any)) ?? [])
            }
            guard !addresses.isEmpty, let view = await environment.routing.view(of: addresses) else { return false }
            return addresses.contains { (try? view.routes[$0]?.get()) != nil }
        }
    }

    /// Whether this host is this machine, or on one of its links, so that reaching it needs no path.
    package func isOnLink() async -> Bool {
        guard let route = await HostReachability(self).check().route.value else { return false }
        return route.isLocalAddress || route.isDirect
    }
}
