//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A path as a plain value: what `NWPath` tells, and why not, where there is none.
///
/// Unlike `NWPath` it can be made by anybody, which is what tests and simulations need.
public struct NetworkPath: Hashable, Sendable {
    /// An interface of a path.
    public struct Interface: Hashable, Sendable {
        /// Its name, such as `eth0`.
        public var name: String
        /// The kernel's number for it.
        public var index: Int
        /// Over what it carries data.
        public var type: NWInterface.InterfaceType
        /// The name of the Wi-Fi network that it has joined, where the system tells it.
        ///
        /// It stays when the interface roams between access points of one network. ``WiFiDetails`` tells more.
        public var networkName: String?

        /// Makes an interface.
        public init(name: String, index: Int, type: NWInterface.InterfaceType, networkName: String? = nil) {
            self.name = name
            self.index = index
            self.type = type
            self.networkName = networkName
        }
    }

    /// Whether there is a path.
    public var status: NWPath.Status
    /// Apple's reason why not.
    public var unsatisfiedReason: NWPath.UnsatisfiedReason
    /// What stands in the way; nil for a satisfied path, and where it is not known.
    public var diagnosis: PathDiagnosis?
    /// The usable interfaces, most preferred first.
    public var interfaces: [Interface]
    /// The types of link in use, among them that of the link which carries a tunnel.
    public var usedInterfaceTypes: Set<NWInterface.InterfaceType>
    /// Whether IPv4 packets can leave.
    public var supportsIPv4: Bool
    /// Whether IPv6 packets can leave.
    public var supportsIPv6: Bool
    /// Whether there is a name server.
    public var supportsDNS: Bool
    /// Whether it costs by volume.
    public var isExpensive: Bool
    /// Whether the user asked for little data to be used.
    public var isConstrained: Bool
    /// Whether hardly any data should be used.
    public var isUltraConstrained: Bool
    /// What the signal promises, on Wi-Fi.
    public var linkQuality: LinkQuality
    /// The next routers, as addresses; a link-local one with `%` and its interface.
    public var gateways: [String]
    /// Why the network can be seen badly or not at all, in words; nil when it is seen well.
    public var limitation: Limitation?

    /// What keeps Dialtone from seeing the network as it is.
    public enum Limitation: Hashable, Sendable {
        /// Changes are noticed a few seconds late, for this reason.
        case polling(String)
        /// Nothing can be seen, for this reason: the path says nothing.
        case unavailable(String)
    }

    /// Makes a path.
    public init(
        status: NWPath.Status, unsatisfiedReason: NWPath.UnsatisfiedReason = .notAvailable,
        diagnosis: PathDiagnosis? = nil, interfaces: [Interface] = [],
        usedInterfaceTypes: Set<NWInterface.InterfaceType>? = nil, supportsIPv4: Bool = false,
        supportsIPv6: Bool = false, supportsDNS: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false,
        gateways: [String] = [], limitation: Limitation? = nil, isUltraConstrained: Bool = false,
        linkQuality: LinkQuality = .unknown
    ) {
        self.status = status
        self.unsatisfiedReason = unsatisfiedReason
        self.diagnosis = diagnosis
        self.interfaces = interfaces
        self.usedInterfaceTypes = usedInterfaceTypes ?? Set(interfaces.first.map { [$0.type] } ?? [])
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
        self.supportsDNS = supportsDNS
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
        self.linkQuality = linkQuality
        self.gateways = gateways
        self.limitation = limitation
    }

    /// Whether nothing is known of the network, rather than that there is no path.
    public var isUnknown: Bool {
        if case .unavailable = limitation { true } else { false }
    }
}

extension NetworkPath {
    /// The names of what differs from another path, in the order and spelling of the JSON report.
    public func changes(since old: NetworkPath) -> [String] {
        let differs: [(name: String, isDifferent: Bool)] = [
            ("status", status != old.status),
            ("reason", diagnosis != old.diagnosis),
            ("unsatisfiedReason", unsatisfiedReason != old.unsatisfiedReason),
            ("interfaces", interfaces != old.interfaces || usedInterfaceTypes != old.usedInterfaceTypes),
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
}
