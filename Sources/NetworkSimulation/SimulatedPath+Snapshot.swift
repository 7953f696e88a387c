// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Dialtone
import Netlink
package import NetworkState
import OpenNetwork

extension SimulatedPath {
    /// A kernel state that results in this path.
    package var snapshot: NetworkSnapshot {
        if path.isUnknown {
            return NetworkSnapshot(visibility: .unavailable(because: .simulated))
        }
        let loopback = NetworkInterface(
            index: 1, name: "lo", type: .loopback, flags: [.up, .running, .lowerUp, .loopback])
        guard let link else { return NetworkSnapshot(interfaces: [loopback]) }
        return NetworkSnapshot(
            interfaces: [loopback, link], routing: RoutingAnswers(general: routes(over: link)),
            isWiFiSwitchedOff: link.type == .wifi && link.radioBlock != nil,
            resolver: ResolverConfiguration(servers: [.init(.router)]))
    }

    /// The link of the path, or the link with the fault.
    private var link: NetworkInterface? {
        // A working link for faults elsewhere.
        let spare = path.diagnosis?.reason == .noInterface ? nil : NetworkPath.Interface.wifiLink
        guard let interface = path.interfaces.first ?? path.diagnosis?.interface ?? spare else { return nil }
        var link = NetworkInterface(
            index: Int32(clamping: interface.index), name: interface.name, type: interface.type,
            addresses: [(NetworkAddress(192, 0, 2, 7), 24), (.ownIPv6, 64)].compactMap { address, length in
                NetworkPrefix(address, length: length).map { InterfaceAddress($0) }
            })
        link.wifi = interface.networkName.map { WiFiLink(ssid: Array($0.utf8)) }
        switch path.diagnosis?.reason {
        case .allDown: link.flags = []
        case .radioOff:
            link.flags = []
            link.radioBlock = .software
        case .noCarrier: link.flags = .up
        case .dormant: link.flags = [.up, .lowerUp, .dormant]
        case .noAddress: link.addresses = []
        case .addressTentative: link.addresses = link.addresses.map { InterfaceAddress($0.prefix, flags: .tentative) }
        default: break
        }
        return link
    }

    private func routes(over link: NetworkInterface) -> [RouteAnswer] {
        NetworkAddress.representatives.map { destination in
            switch path.diagnosis?.reason {
            case .routeUnreachable: return RouteAnswer(destination, .rejected)
            case nil where path.supports(destination.version):
                let gateway = destination.version == .ipv4 ? NetworkAddress.router : .linkLocalRouter
                let hop = NextHop(interface: link.index, gateway: gateway)
                return RouteAnswer(destination, .route(FoundRoute(nextHops: [hop])))
            default: return RouteAnswer(destination, .noRoute)
            }
        }
    }
}

extension NetworkSnapshot {
    /// The simulated kernel's answer to a lookup: any address that is not this machine's has the route of its family.
    func simulatedAnswer(to lookup: RouteLookup) -> RouteAnswer {
        let destination = lookup.destination
        let isOwn = interfaces.contains { link in
            link.isUp
                && (link.isLoopback && destination.isLoopback || link.addresses.contains { $0.address == destination })
        }
        if isOwn {
            return RouteAnswer(destination, .route(FoundRoute(type: .local, nextHops: [NextHop(interface: 1)])))
        }
        let general = routing.general.first { $0.destination.version == destination.version }
        return RouteAnswer(destination, general?.outcome ?? .noRoute)
    }
}

extension NetworkAddress {
    fileprivate static let router = NetworkAddress(192, 0, 2, 1)
    fileprivate static let ownIPv6 = ipv6([0x20, 0x01, 0x0D, 0xB8])

    /// Addresses in both halves of each family's public space.
    fileprivate static let representatives = [
        NetworkAddress(24, 48, 0, 1), NetworkAddress(203, 104, 0, 1), ipv6([0x24, 0x03]), ipv6([0x2A, 0x00]),
    ]

    /// The IPv6 address that starts with these bytes and ends with 1.
    private static func ipv6(_ beginning: [UInt8]) -> NetworkAddress {
        NetworkAddress(bytes: beginning + Array(repeating: 0, count: 15 - beginning.count) + [1]) ?? .any(.ipv6)
    }
}

extension NetlinkError {
    fileprivate static let simulated = NetlinkError(
        .system, operation: "socket(AF_NETLINK)", message: "a simulation hides the network")
}
#endif
