// SPDX-License-Identifier: Apache-2.0

package import Netlink

/// The state collected from the kernel's messages: (tables, message) -> tables.
///
/// Events are hints: the tables keep what messages alone can establish, and report what must be read again.
package struct KernelTables {
    package private(set) var links = LinkTable<LinkMessage>()
    private(set) var addresses = LinkTable<[AddressMessage]>()
    private(set) var rules: [RuleMessage] = [] {
        didSet { hasIPv4SourceRule = rules.contains { $0.family == .ipv4 && $0.source != nil } }
    }
    /// Whether an IPv4 rule is for packets from some addresses only; stored, because each event needs it.
    private(set) var hasIPv4SourceRule = false
    /// Links that have sent a wireless event, and are therefore Wi-Fi.
    private(set) var wireless = LinkTable<Void>()
    /// The routers that do not answer.
    ///
    /// The kernel prefers another one of the same metric.
    private(set) var failedNeighbors: [FailedNeighbor] = []

    /// The most failed routers to remember: the events of all neighbours arrive if the kernel accepts no filter.
    private static let mostFailedNeighbors = 32

    /// A router that does not answer.
    struct FailedNeighbor: Hashable {
        var address: NetworkAddress
        var interface: Int32
        /// Whether messages may have been lost since its last one.
        var isStale = false
    }

    /// The state to reread because of a message.
    package struct Hints: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Look up again where the kernel sends IPv4 packets.
        static let ipv4Routing = Self(rawValue: 1)
        /// Look up again where the kernel sends IPv6 packets.
        static let ipv6Routing = Self(rawValue: 2)
        /// Look up again where the kernel sends packets.
        static let routing: Self = [.ipv4Routing, .ipv6Routing]
        /// Reread the rules.
        static let rules = Self(rawValue: 4)
        /// A link is new or renamed: identify its hardware.
        static let hardware = Self(rawValue: 8)
    }

    package init() {}

    init(links: [LinkMessage], addresses: [AddressMessage], rules: [RuleMessage]) {
        for link in links { _ = update(link) }
        add(addresses)
        replaceRules(rules)
    }

    /// Replaces everything that was read again, after messages may have been lost.
    mutating func replaceAll(links: [LinkMessage], addresses: [AddressMessage], rules: [RuleMessage]) {
        let neighbors = failedNeighbors.filter { neighbor in links.contains { $0.index == neighbor.interface } }
        self = KernelTables(links: links, addresses: addresses, rules: rules)
        failedNeighbors = neighbors.map { FailedNeighbor(address: $0.address, interface: $0.interface, isStale: true) }
    }

    mutating func replaceRules(_ rules: [RuleMessage]) { self.rules = rules }

    mutating func replaceAddresses(_ addresses: [AddressMessage]) {
        self.addresses = LinkTable()
        add(addresses)
    }

    /// Adds the addresses of a dump, which has each once: a search for each would take the square of their number.
    private mutating func add(_ dumped: [AddressMessage]) {
        for address in dumped { addresses[address.index, default: []].append(address) }
    }

    /// Applies one message, and returns what must be reread because of it: nothing if the message changes nothing.
    package mutating func apply(_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) -> Hints {
        switch header.type {
        // Routes are not kept: there may be a million. The socket's filter decides which route events arrive.
        case .newRoute, .deleteRoute: Self.hints(ofRoute: payload)
        case .newNextHop, .deleteNextHop: [.routing]
        case .newRule, .deleteRule: [.rules, .routing]
        case .newLink: update(try LinkMessage(payload))
        case .deleteLink: remove(try LinkMessage(payload))
        case .newAddress: update(try AddressMessage(payload))
        case .deleteAddress: remove(try AddressMessage(payload))
        case .newConfiguration: Self.hints(of: try ConfigurationMessage(payload))
        case .newNeighbor: update(try NeighborMessage(payload), isDeleted: false)
        case .deleteNeighbor: update(try NeighborMessage(payload), isDeleted: true)
        default: []
        }
    }

    /// Returns the hints of a route's message.
    private static func hints(ofRoute payload: RawSpan) -> Hints { hints(of: RouteMessage.family(payload)) }

    private static func hints(of family: AddressFamily?) -> Hints {
        switch family {
        case .ipv4: .ipv4Routing
        case .ipv6: .ipv6Routing
        default: .routing
        }
    }

    /// Returns the hints of a changed setting.
    ///
    /// A new link announces all of its settings, which change no route: it has none yet. Whether a single link forwards
    /// is not relevant.
    private static func hints(of settings: ConfigurationMessage) -> Hints {
        let hints = hints(of: settings.family)
        if settings.isForwarding != nil { return settings.index == ConfigurationMessage.allLinks ? hints : [] }
        return settings.ignoresRoutesWithoutCarrier != nil ? hints : []
    }

    /// The socket's filter decides which neighbours' messages arrive: those of routers in use, and of routers that failed.
    private mutating func update(_ neighbor: NeighborMessage, isDeleted: Bool) -> Hints {
        guard let address = neighbor.address else { return [] }
        let place = failedNeighbors.firstIndex { $0.address == address && $0.interface == neighbor.index }
        if !isDeleted, neighbor.state.contains(.failed) {
            guard let place else {
                if failedNeighbors.count == Self.mostFailedNeighbors { failedNeighbors.removeFirst() }
                failedNeighbors.append(FailedNeighbor(address: address, interface: neighbor.index))
                return .routing
            }
            defer { failedNeighbors[place].isStale = false }
            return failedNeighbors[place].isStale ? .routing : []
        }
        guard isDeleted || !neighbor.state.isDisjoint(with: .valid) else { return [] }
        if let place { failedNeighbors.remove(at: place) }
        return place != nil || isDeleted ? .routing : []
    }

    /// The routers that packets to the Internet use, then the others that have failed, whose return may change that.
    ///
    /// - Parameter routing: the last answers.
    func routers(of routing: RoutingAnswers) -> [NeighborWatch] {
        var routers: [NeighborWatch] = []
        for place in routing.general.indices {
            guard case .route(let route) = routing.general[place].outcome else { continue }
            for hop in route.nextHops {
                guard let gateway = hop.gateway, let interface = hop.interface,
                    !routers.contains(where: { $0.interface == interface && $0.address == gateway })
                else { continue }
                let hasFailed = failedNeighbors.contains(FailedNeighbor(address: gateway, interface: interface))
                routers.append(NeighborWatch(gateway, on: interface, hasFailed: hasFailed))
            }
        }
        let failed = failedNeighbors.map { NeighborWatch($0.address, on: $0.interface, hasFailed: true) }
        return routers + failed.filter { !routers.contains($0) }
    }

    private mutating func update(_ link: LinkMessage) -> Hints {
        // The same message type also reports a link's role as a bridge port.
        guard link.family == .unspecified else { return [] }
        let link = link.withDormancy
        guard var known = links[link.index] else {
            links[link.index] = link
            if link.isWirelessEvent { wireless[link.index] = () }
            return [.hardware, .routing]
        }
        if link.isWirelessEvent {
            // A partial message: whatever it omits has not changed.
            let isNews =
                !wireless.contains(link.index)
                || known.flags.subtracting(.dormant) != link.flags.subtracting(.dormant)
            wireless[link.index] = ()
            known.flags = link.flags
            known = known.withDormancy
            links[link.index] = known
            return isNews ? [.routing] : []
        }
        let isRenamed = link.name != known.name
        links[link.index] = link
        guard Self.relevantFacts(link) != Self.relevantFacts(known) else { return [] }
        return isRenamed ? [.hardware, .routing] : [.routing]
    }

    private mutating func remove(_ link: LinkMessage) -> Hints {
        guard link.family == .unspecified, links.contains(link.index) else { return [] }
        links[link.index] = nil
        addresses[link.index] = nil
        wireless[link.index] = nil
        failedNeighbors.removeAll { $0.interface == link.index }
        return [.routing]
    }

    private mutating func update(_ message: AddressMessage) -> Hints {
        Self.update(message, in: &addresses[message.index, default: []])
    }

    private static func update(_ message: AddressMessage, in ofLink: inout [AddressMessage]) -> Hints {
        guard let place = ofLink.firstIndex(where: { message.isSameAddress(as: $0) }) else {
            ofLink.append(message)
            return [.routing]
        }
        // The kernel repeats an address whenever its lifetime is renewed.
        let isNews = InterfaceAddress(message) != InterfaceAddress(ofLink[place])
        ofLink[place] = message
        return isNews ? [.routing] : []
    }

    private mutating func remove(_ message: AddressMessage) -> Hints {
        guard let place = addresses[message.index]?.firstIndex(where: { message.isSameAddress(as: $0) }) else {
            return []
        }
        addresses[message.index, default: []].remove(at: place)
        if addresses[message.index]?.isEmpty == true { addresses[message.index] = nil }
        return [.routing]
    }

    /// The parts of a link that can affect where packets go, unlike counters, queue lengths and hardware addresses.
    private static func relevantFacts(_ link: LinkMessage) -> LinkMessage {
        var facts = link
        facts.flags.formIntersection([.up, .running, .lowerUp, .dormant, .loopback, .pointToPoint])
        facts.hardwareAddress = nil
        facts.operationalState = link.operationalState == .dormant ? .dormant : nil
        facts.hasCarrier = nil
        return facts
    }
}

extension KernelTables {
    /// The links as a snapshot contains them, sorted by index.
    package func interfaces(devices: LinkTable<InterfaceClassifier.DeviceType>) -> [NetworkInterface] {
        var known = devices
        for (index, _) in wireless.elements { known[index] = .wlan }
        let classifier = InterfaceClassifier(links: links, devices: known)
        return links.elements.map { (index, link) in
            NetworkInterface(
                index: index, name: link.name ?? "#\(index)", type: classifier.type(of: index),
                linkKind: link.kind, flags: Self.flags(of: link),
                controllerIndex: link.controllerIndex, controllerKind: link.controllerKind,
                addresses: addresses(of: index))
        }
    }

    /// The addresses of a link as a snapshot contains them.
    func addresses(of index: Int32) -> [InterfaceAddress] {
        addresses[index]?.map { InterfaceAddress($0) } ?? []
    }

    /// Returns whether the addresses of a link are these, without copying any.
    func hasAddresses(_ shown: [InterfaceAddress], of index: Int32) -> Bool {
        guard let ofLink = addresses[index] else { return shown.isEmpty }
        return ofLink.count == shown.count
            && ofLink.indices.allSatisfy {
                InterfaceAddress(ofLink[$0].prefix, flags: ofLink[$0].flags, scope: ofLink[$0].scope) == shown[$0]
            }
    }

    /// The relevant flags of a link.
    ///
    /// A program that authenticates (wpa_supplicant) sets the operational state to dormant, without the flag.
    private static func flags(of link: LinkMessage) -> LinkFlags {
        var flags = link.flags
        if link.operationalState == .dormant { flags.insert(.dormant) }
        return flags.intersection([.up, .running, .lowerUp, .dormant, .loopback, .pointToPoint, .noARP])
    }

    /// Whether a rule rejects packets of ordinary programs.
    var hasRejectingRule: Bool { rules.contains { $0.action.rejects && $0.isForOrdinaryPackets } }

    /// The number of seconds until the first address expires; nil if none does.
    var earliestAddressExpiry: Double? {
        var earliest: UInt32?
        for (_, ofLink) in addresses.elements {
            for place in ofLink.indices {
                if let lifetime = ofLink[place].validLifetime { earliest = min(earliest ?? lifetime, lifetime) }
            }
        }
        return earliest.map(Double.init)
    }
}

extension RuleMessage {
    /// Whether the rule matches packets without a mark, with any source and destination.
    ///
    /// When its routes are gone, a VPN rejects either its own packets, which have a mark, or all without it.
    fileprivate var isForOrdinaryPackets: Bool {
        guard source == nil, destination == nil, incomingInterface == nil, outgoingInterface == nil else {
            return false
        }
        let isForMarked = (firewallMark ?? 0) != 0
        return isForMarked == isInverted
    }
}

extension LinkMessage {
    /// The link, with the flag `dormant` also set if only the operational state says so.
    ///
    /// A link that a supplicant keeps waiting for its keys does not have the flag itself.
    ///
    /// Right after a link has lost its carrier the operational state may be stale; then the flags are correct.
    fileprivate var withDormancy: LinkMessage {
        guard operationalState == .dormant, flags.isSuperset(of: [.up, .lowerUp]), !flags.contains(.running) else {
            return self
        }
        var link = self
        link.flags.insert(.dormant)
        return link
    }
}

extension AddressMessage {
    /// Returns whether another message of the link is about the same address.
    ///
    /// IPv4 may have one address with several peers; the peer of an IPv6 address is a property that may change.
    fileprivate func isSameAddress(as other: AddressMessage) -> Bool {
        prefix == other.prefix && (prefix.address.family == .ipv6 || peer == other.peer)
    }
}

extension InterfaceAddress {
    init(_ message: AddressMessage) {
        self.init(message.prefix, flags: message.flags, scope: message.scope)
    }
}
