//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Dialtone
import Netlink
package import NetworkState
import OpenNetwork

extension SimulatedPath {
    /// A state of the kernel in which the path is what it is here.
    package var snapshot: NetworkSnapshot {
        if path.isUnknown {
            return NetworkSnapshot(visibility: .unavailable(because: .simulated))
        }
        let loopback = NetworkInterface(
            index: 1, name: "lo", type: .loopback, flags: [.up, .running, .lowerUp, .loopback])
        guard let link else { return NetworkSnapshot(interfaces: [loopback]) }
        return NetworkSnapshot(
            interfaces: [loopback, link], routing: RoutingAnswers(general: routes(over: link)),
            resolver: ResolverConfiguration(servers: [.init(.router)]))
    }

    /// The link of the path, or the one that lacks something.
    private var link: NetworkInterface? {
        guard let interface = path.interfaces.first ?? path.diagnosis?.interface ?? spareLink else { return nil }
        var link = NetworkInterface(
            index: Int32(clamping: interface.index), name: interface.name, type: .init(interface.type),
            addresses: [(InetAddress(192, 0, 2, 7), 24), (.ownIPv6, 64)].compactMap { address, length in
                InetPrefix(address, length: length).map { InterfaceAddress($0) }
            })
        link.wifi = interface.networkName.map { WiFiLink(ssid: Array($0.utf8)) }
        switch path.diagnosis?.reason {
        case .allDown: link.flags = []
        case .radioOff: (link.flags, link.radioBlock) = ([], .software)
        case .noCarrier: link.flags = .up
        case .dormant: link.flags = [.up, .lowerUp, .dormant]
        case .noAddress: link.addresses = []
        case .addressTentative: link.addresses = link.addresses.map { InterfaceAddress($0.prefix, flags: .tentative) }
        default: break
        }
        return link
    }

    /// Where the link is well and something else is not.
    private var spareLink: NetworkPath.Interface? {
        path.diagnosis?.reason == .noInterface ? nil : .wifiLink
    }

    private func routes(over link: NetworkInterface) -> [RouteAnswer] {
        let isIPv4 = { (address: InetAddress) in address.family == .ipv4 }
        return InetAddress.representatives.map { destination in
            switch path.diagnosis?.reason {
            case .routeUnreachable: return RouteAnswer(destination, .rejected)
            case nil where isIPv4(destination) ? path.supportsIPv4 : path.supportsIPv6:
                let gateway = isIPv4(destination) ? InetAddress.router : .routerIPv6
                let hop = NextHop(interface: link.index, gateway: gateway)
                return RouteAnswer(destination, .route(FoundRoute(nextHops: [hop])))
            default: return RouteAnswer(destination, .noRoute)
            }
        }
    }
}

extension InetAddress {
    fileprivate static let router = InetAddress(192, 0, 2, 1)
    fileprivate static let routerIPv6 = ipv6([0xFE, 0x80])
    fileprivate static let ownIPv6 = ipv6([0x20, 0x01, 0x0D, 0xB8])

    /// Addresses in both halves of each family's public space.
    fileprivate static let representatives = [
        InetAddress(24, 48, 0, 1), InetAddress(203, 104, 0, 1), ipv6([0x24, 0x03]), ipv6([0x2A, 0x00]),
    ]

    /// The IPv6 address that begins with these bytes and ends with 1.
    private static func ipv6(_ beginning: [UInt8]) -> InetAddress {
        InetAddress(bytes: beginning + Array(repeating: 0, count: 15 - beginning.count) + [1]) ?? .any(.ipv6)
    }
}

extension NetlinkError {
    fileprivate static let simulated = NetlinkError(
        .system, operation: "socket(AF_NETLINK)", message: "a simulation hides the network")
}
#endif
