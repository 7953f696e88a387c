// SPDX-License-Identifier: Apache-2.0

/// A path to the Internet as a plain value: the properties of `NWPath`, and the diagnosis of a missing path.
///
/// Unlike an `NWPath`, it can be created by any code, which tests and simulations need.
public struct NetworkPath: Hashable, Sendable {
    /// An interface of a path.
    public struct Interface: Hashable, Sendable {
        /// The interface's name, such as `eth0`.
        public var name: String
        /// The interface index that the kernel assigned.
        public var index: Int
        /// The kind of link.
        public var type: InterfaceType
        /// The name of the Wi-Fi network that the interface has joined, if the system reports it.
        ///
        /// It stays the same when the interface roams between access points of one network.
        public var networkName: String?

        /// Creates an interface, also for tests and simulations.
        public init(name: String, index: Int, type: InterfaceType, networkName: String? = nil) {
            self.name = name
            self.index = index
            self.type = type
            self.networkName = networkName
        }
    }

    /// A router, and the interface that leads to it.
    public struct Gateway: Hashable, Sendable, CustomStringConvertible {
        /// The router's address; a link-local one has its interface's index as scope.
        public var address: NetworkAddress
        /// The name of the interface that leads to the router, if known.
        public var interface: String?

        /// Creates a gateway from a router's address.
        public init(_ address: NetworkAddress, interface: String? = nil) {
            self.address = address
            self.interface = interface
        }

        /// Creates the gateway with an unscoped address on the interface with an index.
        package init(_ address: NetworkAddress, on index: Int32, named interface: String?) {
            let scope = address.isLinkLocal ? UInt32(bitPattern: index) : 0
            self.init(
                NetworkAddress(version: address.version, bits: address.bits, scope: scope), interface: interface)
        }

        /// The address; a link-local one is followed by `%` and the interface's name.
        public var description: String {
            guard address.isLinkLocal, let interface else { return "\(address)" }
            return "\(address.unscoped)%\(interface)"
        }
    }

    /// The reason why Dialtone sees the network late or not at all.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Limitation: Hashable, Sendable {
        /// Changes are noticed a few seconds late, for this reason.
        case polling(String)
        /// The network state cannot be read, for this reason: the rest of the path is meaningless.
        case unavailable(String)
    }

    /// Whether there is a path.
    public var status: Status
    /// The reason for an unsatisfied path, in Apple's terms.
    public var unsatisfiedReason: UnsatisfiedReason
    /// Why there is no path; nil for a satisfied path, or if the cause is unknown.
    public var diagnosis: PathDiagnosis?
    /// The usable interfaces, most preferred first.
    public var interfaces: [Interface]
    /// The types of link in use, including that of the link that carries a tunnel.
    public var usedInterfaceTypes: Set<InterfaceType> {
        get { usedTypes.set }
        set { usedTypes = InterfaceTypes(newValue) }
    }
    /// The types of ``usedInterfaceTypes``.
    package var usedTypes = InterfaceTypes()
    /// Whether IPv4 packets can leave.
    public var supportsIPv4: Bool
    /// Whether IPv6 packets can leave.
    public var supportsIPv6: Bool
    /// Whether packets of an IP version can leave.
    package func supports(_ version: IPVersion) -> Bool { version == .ipv4 ? supportsIPv4 : supportsIPv6 }
    /// Whether a name server is configured.
    public var supportsDNS: Bool
    /// Whether traffic is charged by volume.
    public var isExpensive: Bool
    /// Whether the user wants the path to be used sparingly.
    public var isConstrained: Bool
    /// Whether hardly any data should be used.
    public var isUltraConstrained: Bool
    /// The expected quality of the Wi-Fi link in use; `unknown` for any other link.
    public var linkQuality: LinkQuality
    /// The routers that packets are sent to first.
    public var gateways: [Gateway]
    /// Why the network can be seen only late or not at all; nil if it is fully visible.
    public var limitation: Limitation?

    /// Creates a path, also for tests and simulations.
    public init(
        status: Status, unsatisfiedReason: UnsatisfiedReason = .notAvailable,
        diagnosis: PathDiagnosis? = nil, interfaces: [Interface] = [],
        usedInterfaceTypes: Set<InterfaceType>? = nil, supportsIPv4: Bool = false,
        supportsIPv6: Bool = false, supportsDNS: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false,
        gateways: [Gateway] = [], limitation: Limitation? = nil, isUltraConstrained: Bool = false,
        linkQuality: LinkQuality = .unknown
    ) {
        self.status = status
        self.unsatisfiedReason = unsatisfiedReason
        self.diagnosis = diagnosis
        self.interfaces = interfaces
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
        self.supportsDNS = supportsDNS
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
        self.linkQuality = linkQuality
        self.gateways = gateways
        self.limitation = limitation
        if let usedInterfaceTypes {
            usedTypes = InterfaceTypes(usedInterfaceTypes)
        } else if let first = interfaces.first {
            usedTypes.insert(first.type)
        }
    }

    /// Whether the network state cannot be read, which differs from having no path.
    public var isUnknown: Bool {
        if case .unavailable = limitation { true } else { false }
    }
}

extension NetworkPath {
    /// Returns the names of the facts that differ from another path, in the order and spelling of the JSON report.
    package func changes(since old: NetworkPath) -> [String] {
        let differs: [(name: String, isDifferent: Bool)] = [
            ("status", status != old.status),
            ("reason", diagnosis != old.diagnosis),
            ("unsatisfiedReason", unsatisfiedReason != old.unsatisfiedReason),
            ("interfaces", interfaces != old.interfaces || usedTypes != old.usedTypes),
            ("supportsIPv4", supportsIPv4 != old.supportsIPv4),
            ("supportsIPv6", supportsIPv6 != old.supportsIPv6),
            ("supportsDNS", supportsDNS != old.supportsDNS),
            ("isExpensive", isExpensive != old.isExpensive),
            ("isConstrained", isConstrained != old.isConstrained),
            ("isUltraConstrained", isUltraConstrained != old.isUltraConstrained),
            ("linkQuality", linkQuality != old.linkQuality),
            ("gateways", gateways != old.gateways),
            ("limitation", limitation != old.limitation),
        ]
        return differs.filter(\.isDifferent).map(\.name)
    }

    /// Why there is no path, in one sentence for a user; nil for a satisfied path, or if the cause is unknown.
    public var reason: String? { diagnosis?.description }

    /// Returns whether Apple's API would show the same for another path: everything but the diagnosis, the limitation
    /// and the names of Wi-Fi networks.
    package func looksLike(_ other: NetworkPath) -> Bool {
        status == other.status && unsatisfiedReason == other.unsatisfiedReason
            && supportsIPv4 == other.supportsIPv4 && supportsIPv6 == other.supportsIPv6
            && supportsDNS == other.supportsDNS && isExpensive == other.isExpensive
            && isConstrained == other.isConstrained && isUltraConstrained == other.isUltraConstrained
            && linkQuality == other.linkQuality && usedTypes == other.usedTypes
            && interfaces.elementsEqual(other.interfaces) {
                $0.index == $1.index && $0.name == $1.name && $0.type == $1.type
            } && gateways == other.gateways
    }
}
