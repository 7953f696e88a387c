// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import NetworkModel
import NetworkState

/// Describes whether connections can use the network, over which interfaces, and with which properties.
///
/// Mirrors Apple's `NWPath`. A path is a snapshot that never changes; its copies share one object. Two paths are equal
/// if all public properties are equal.
public struct NWPath: Equatable, Sendable {
    /// Whether connections can use a path.
    public typealias Status = DialtonePathTypes.PathStatus
    /// Why a path is unsatisfied.
    public typealias UnsatisfiedReason = DialtonePathTypes.UnsatisfiedReason
    /// How capable a link is expected to be.
    public typealias LinkQuality = DialtonePathTypes.LinkQuality

    private let storage: EvaluatedPath

    /// Creates a view of a path.
    init(_ path: EvaluatedPath) { storage = path }

    package init(_ path: NetworkPath) { storage = EvaluatedPath(path) }

    /// The complete path, which contains more than Apple's API shows.
    package var networkPath: NetworkPath { storage.path }

    /// The path of a monitor that has not started: unsatisfied, no interfaces, nothing supported.
    package static let unstarted = NWPath(NetworkPath(status: .unsatisfied))

    /// Returns whether all public properties of two paths are equal.
    public static func == (lhs: NWPath, rhs: NWPath) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.path.looksLike(rhs.storage.path)
    }

    /// Whether connections can use the path.
    public var status: NWPath.Status { storage.path.status }

    /// The first reason found for an unsatisfied path; `.notAvailable` without a specific reason.
    public var unsatisfiedReason: NWPath.UnsatisfiedReason { storage.path.unsatisfiedReason }

    /// The interfaces that the path can use, most preferred first.
    public var availableInterfaces: [NWInterface] { storage.path.interfaces.map(NWInterface.init) }

    /// Whether the path uses an interface whose traffic is charged by volume, such as cellular or a phone's hotspot.
    public var isExpensive: Bool { storage.path.isExpensive }

    /// Whether the user wants the path to be used sparingly.
    ///
    /// Linux has no such setting: true only if the program or its configuration says so (`CostPolicy`).
    public var isConstrained: Bool { storage.path.isConstrained }

    /// Whether the path has very little capacity, such as a satellite link.
    ///
    /// Linux does not report it: true only if the program or its configuration says so (`CostPolicy`).
    public var isUltraConstrained: Bool { storage.path.isUltraConstrained }

    /// How capable the link is expected to be; a poor link is no reason not to connect.
    ///
    /// It is measured only on Wi-Fi, by signal strength: good from -67 dBm, moderate from -77 dBm, otherwise minimal,
    /// with 3 dB of hysteresis. It is measured at every change and every 30 seconds.
    public var linkQuality: NWPath.LinkQuality { storage.path.linkQuality }

    /// Whether the path can carry IPv4.
    public var supportsIPv4: Bool { storage.path.supportsIPv4 }

    /// Whether the path can carry IPv6.
    public var supportsIPv6: Bool { storage.path.supportsIPv6 }

    /// Whether a DNS server is configured.
    public var supportsDNS: Bool { storage.path.supportsDNS }

    /// The routers that the path uses, as addresses with port 0; a link-local address includes its interface.
    public var gateways: [NWEndpoint] {
        storage.path.gateways.map { gateway in
            let address = gateway.address
            let link = storage.path.interfaces.first { address.isLinkLocal && $0.name == gateway.interface }
            let scope = link.map(NWInterface.init)
            let host: NWEndpoint.Host =
                switch address.version {
                case .ipv4: .ipv4(IPv4Address(bits: UInt32(truncatingIfNeeded: address.bits.low), interface: scope))
                case .ipv6: .ipv6(IPv6Address(bits: address.bits, interface: scope))
                }
            return .hostPort(host: host, port: .any)
        }
    }

    /// The local end of a connection's path; always `nil` for the paths of a monitor.
    public var localEndpoint: NWEndpoint? { nil }

    /// The remote end of a connection's path; always `nil` for the paths of a monitor.
    public var remoteEndpoint: NWEndpoint? { nil }

    /// Whether traffic on this path may use an interface of the given type.
    ///
    /// A tunnel counts as `.other`, and also as the type of the link that carries it, if that is known.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        storage.path.usedTypes.contains(type)
    }
}

extension NWPath: CustomDebugStringConvertible {
    /// The path on one line, in the format that Apple's framework logs.
    ///
    /// The text is for people, not for parsing. Only the preferred interface is named; it is *scoped* if the monitor
    /// requires a type of interface. Three examples:
    ///
    /// - `satisfied (Path is satisfied), interface: wlan0, ipv4, ipv6, dns, uses wifi`
    /// - `satisfied (Path is satisfied), interface: eth0, scoped, ipv4, ipv6, dns`
    /// - `unsatisfied (No network route)`
    public var debugDescription: String {
        let path = networkPath
        let attributes: [(isShown: Bool, text: String)] = [
            (!path.interfaces.isEmpty, "interface: \(path.interfaces.first?.name ?? "")"),
            (!path.interfaces.isEmpty && storage.isScoped, "scoped"),
            (path.supportsIPv4, "ipv4"),
            (path.supportsIPv6, "ipv6"),
            (path.supportsDNS, "dns"),
            (path.isExpensive, "expensive"),
            (path.isConstrained, "constrained"),
            (path.isUltraConstrained, "ultra constrained"),
            (path.usedInterfaceTypes.contains(.wifi), "uses wifi"),
            (path.usedInterfaceTypes.contains(.cellular), "uses cell"),
            (path.linkQuality != .unknown, "LQM: \(path.linkQuality)"),
        ]
        return attributes.lazy.filter(\.isShown).reduce(statusText) { $0 + ", " + $1.text }
    }

    private var statusText: String {
        switch status {
        case .satisfied: "satisfied (Path is satisfied)"
        case .requiresConnection: "satisfiable (Path is satisfiable)"
        case .unsatisfied: "unsatisfied (\(unsatisfiedReason.explanation))"
        }
    }
}

extension NWPath.UnsatisfiedReason {
    fileprivate var explanation: String {
        switch self {
        case .notAvailable: "No network route"
        case .cellularDenied: "Denied over cellular interface"
        case .wifiDenied: "Denied over Wi-Fi interface"
        case .localNetworkDenied: "Local network prohibited"
        case .vpnInactive: "Required VPN is inactive"
        }
    }
}

#endif
