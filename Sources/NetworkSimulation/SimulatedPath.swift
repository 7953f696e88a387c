// SPDX-License-Identifier: Apache-2.0

public import Dialtone

/// A simulated network for tests.
public struct SimulatedPath: Hashable, Sendable {
    /// The path that the network delivers.
    public var path: NetworkPath
    /// The identity of the network behind the path; nil where it is unknown.
    public var identity: NetworkIdentity?

    /// Creates a simulated path from any path.
    public init(_ path: NetworkPath, identity: NetworkIdentity? = nil) {
        self.path = path
        self.identity = identity
    }

    /// A Wi-Fi network with IPv4, IPv6 and a name server.
    public static let wifi = wifi("Home")

    /// A Wi-Fi network with this name.
    ///
    /// All of them use the same addresses, as home networks often do.
    public static func wifi(_ name: String) -> SimulatedPath {
        let router = name.utf8.reduce(into: UInt32(2_166_136_261)) { $0 = ($0 ^ UInt32($1)) &* 16_777_619 }
        let bytes = (0..<4).map { String(router >> UInt32(8 * $0) & 0xFF | 0x100, radix: 16).dropFirst() }
        var link = NetworkPath.Interface.wifiLink
        link.networkName = name
        return satisfied(link, identity: "02:00:" + bytes.joined(separator: ":"), ssid: name)
    }

    /// A cable with IPv4, IPv6 and a name server.
    public static let wired = satisfied(.wiredLink, identity: "02:00:00:00:00:02")

    /// A metered mobile network.
    public static let cellular = cellular(expensive: true)

    /// A mobile network with IPv4, IPv6 and a name server.
    ///
    /// - Parameter expensive: whether it is metered; on Linux `NWPathMonitor` calls every mobile network expensive.
    public static func cellular(expensive: Bool) -> SimulatedPath {
        var simulated = satisfied(.cellularLink, identity: nil)
        simulated.path.isExpensive = expensive
        return simulated
    }

    /// No path, because Wi-Fi is not connected.
    public static let offline = offline(.noCarrier)

    /// No path, for this reason; for `dormant`, a path that a connection attempt would establish.
    public static func offline(_ reason: PathDiagnosis.Reason) -> SimulatedPath {
        let isDormant = reason == .dormant
        let isOfLink = ![.noInterface, .noRoute, .routeUnreachable].contains(reason)
        return SimulatedPath(
            NetworkPath(
                status: isDormant ? .requiresConnection : .unsatisfied,
                unsatisfiedReason: reason == .radioOff ? .wifiDenied : .notAvailable,
                diagnosis: PathDiagnosis(reason, interface: isOfLink ? .wifiLink : nil),
                interfaces: isDormant ? [.wifiLink] : [], usedInterfaceTypes: []))
    }

    /// A network without visibility, as in a sandbox.
    public static let unseen = SimulatedPath(
        NetworkPath(status: .unsatisfied, limitation: .unavailable("A simulation hides the network.")))

    private static func satisfied(
        _ link: NetworkPath.Interface, identity: String?, ssid: String? = nil
    ) -> SimulatedPath {
        SimulatedPath(
            NetworkPath(
                status: .satisfied, interfaces: [link], supportsIPv4: true, supportsIPv6: true, supportsDNS: true,
                gateways: [
                    .init(NetworkAddress(192, 0, 2, 1), interface: link.name),
                    .init(.linkLocalRouter, on: Int32(clamping: link.index), named: link.name),
                ]),
            identity: NetworkIdentity(
                gatewayLinkAddresses: Set([identity].compactMap(\.self)), prefixes: ["192.0.2.0/24", "2001:db8::/64"],
                ssid: ssid))
    }
}

extension NetworkPath.Interface {
    static let wiredLink = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
    static let wifiLink = NetworkPath.Interface(name: "wlan0", index: 3, type: .wifi)
    static let cellularLink = NetworkPath.Interface(name: "wwan0", index: 4, type: .cellular)
}

extension NetworkAddress {
    static let linkLocalRouter = NetworkAddress(version: .ipv6, bits: 0xFE80 << 112 | 1)
}
