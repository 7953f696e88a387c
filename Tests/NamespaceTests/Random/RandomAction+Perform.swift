// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import TestSupport

extension Lab {
    /// Performs the action, unless the kernel rejects it.
    func perform(_ action: RandomAction) async throws {
        do {
            switch action {
            case .plug(let link): try await cable(name(link), hasCarrier: true)
            case .unplug(let link):
                let name = name(link)
                try await change { try $0.deleteLink(try $0.link(named: name).index) }
            case .link(let link, let isUp):
                let name = name(link)
                try await change { try $0.setLink(try $0.link(named: name).index, up: isUp) }
            case .carrier(let link, let isThere): try await setCarrier(of: name(link), isThere)
            case .address(let link, let family, let isThere): try await set(link, family, isThere)
            case .route(let route, let isThere): try await set(route, isThere)
            case .rule(let rule, let isThere): try await set(rule, isThere)
            case .ignoreDeadLinks(let link, let family, let isOn):
                guard Capability.networkSettings.lack == nil else { return }
                let folder = family == .ipv4 ? "ipv4" : "ipv6"
                // The link may not exist.
                try? await set("\(folder)/conf/\(link.map(name) ?? "all")/ignore_routes_with_linkdown", isOn ? 1 : 0)
            case .group(let link, let group):
                let name = name(link)
                try await change { try $0.setLink(try $0.link(named: name).index, group: group) }
            case .router(let link, let family, let isFailed):
                let (name, router) = (name(link), RandomAction.gateway(link, family))
                try await change { kernel in
                    try kernel.setNeighbor(
                        router, on: try kernel.link(named: name).index, isFailed ? .failed : .reachable)
                }
            }
        } catch let error as NetlinkError where error.code == .kernel {
            return
        }
    }

    private func name(_ link: Int) -> String { "up\(link)" }

    private func set(_ link: Int, _ family: AddressFamily, _ isThere: Bool) async throws {
        let (name, address) = (name(link), RandomAction.address(link, family))
        try await change { kernel in
            let index = try kernel.link(named: name).index
            if isThere {
                try kernel.add(address, to: index)
            } else {
                try kernel.deleteAddress(address, from: index)
            }
        }
    }

    private func set(_ route: RandomAction.Route, _ isThere: Bool) async throws {
        let family = route.destination.address.family
        let names = route.links.map(name)
        try await change { kernel in
            var hops: [NextHop] = []
            for (link, name) in zip(route.links, names) {
                let index = try kernel.link(named: name).index
                hops.append(
                    NextHop(
                        interface: index, gateway: RandomAction.gateway(link, family),
                        flags: route.isOnLink ? .onLink : []))
            }
            let new = NewRoute(
                route.destination, type: route.type, nextHops: hops, priority: route.priority, table: route.table,
                source: route.source.map { RandomAction.address($0, family).network })
            if isThere { try kernel.addRoute(new) } else { try kernel.deleteRoute(new) }
        }
    }

    private func set(_ rule: RandomAction.Rule, _ isThere: Bool) async throws {
        let message = RuleMessage(
            family: rule.family, action: rule.action, table: rule.table, priority: rule.priority,
            source: rule.source.flatMap { link in
                let address = RandomAction.address(link, rule.family).address
                return NetworkPrefix(address, length: rule.family == .ipv4 ? 32 : 128)
            },
            suppressedPrefixLength: rule.suppressed, suppressedLinkGroup: rule.suppressedGroup)
        try await change { kernel in
            if isThere { try kernel.addRule(message) } else { try kernel.deleteRule(message) }
        }
    }
}
#endif
