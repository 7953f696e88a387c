//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Reads the kernel's state, from its messages and by querying it.
struct KernelReader: ~Copyable {
    private var kernel: RouteNetlink
    private var tables = KernelTables()
    /// The lookups of individual hosts, with the answers received so far.
    private var hosts: [RouteLookup: RouteAnswer?] = [:]
    private var devices: [Int32: InterfaceClassifier.DeviceType] = [:]
    private var wifi = WiFiReader()
    private let wireGuard = WireGuardReader()
    /// The remote endpoints of the tunnels in use.
    ///
    /// A route change to one of them may change the tunnel's carrier.
    private(set) var endpoints: Set<NetworkAddress> = []
    /// Facts about the links from other sources.
    var metadata = LinkMetadata() {
        didSet { if metadata != oldValue { shownInterfaces = nil } }
    }
    /// The interfaces of the last snapshot; nil after an event about links or addresses.
    ///
    /// Most events are about routes, and comparing snapshots is fast if they share unchanged storage.
    private var shownInterfaces: [NetworkInterface]?

    init() throws(NetlinkError) {
        kernel = try RouteNetlink()
    }

    /// Applies one event.
    mutating func apply(_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) -> KernelTables.Hints {
        switch header.type {
        case .newRoute, .deleteRoute: break
        default: shownInterfaces = nil
        }
        return try tables.apply(header, payload)
    }

    /// Rereads everything.
    mutating func reload() throws(NetlinkError) {
        let links = try kernel.links()
        let addresses = try kernel.addresses()
        let rules = try rules()
        tables = KernelTables(links: links, addresses: addresses, rules: rules)
        identifyHardware()
    }

    /// Rereads the addresses after one may have expired.
    mutating func reloadAddresses() throws(NetlinkError) {
        tables.replaceAddresses(try kernel.addresses())
        shownInterfaces = nil
    }

    /// Rereads the rules.
    mutating func reloadRules() throws(NetlinkError) {
        let rules = try rules()
        tables.replaceRules(rules)
    }

    /// Reads the rules; none if the kernel has no rules, as in gVisor or without policy routing.
    private mutating func rules() throws(NetlinkError) -> [RuleMessage] {
        do throws(NetlinkError) {
            return try kernel.rules()
        } catch {
            guard error.code == .kernel, error.errno == .notSupported else { throw error }
            return []
        }
    }

    /// Identifies the hardware behind the links.
    mutating func identifyHardware() {
        devices = tables.links.compactMapValues(DeviceTypes.read)
        if mayHaveWiFi { _ = wifi.update() }
        shownInterfaces = nil
    }

    /// Whether any link could be Wi-Fi: one that is not virtual.
    private var mayHaveWiFi: Bool {
        tables.links.values.contains { $0.kind == nil && !$0.flags.contains(.loopback) } || hasWiFi
    }

    /// Rereads which networks the Wi-Fi links have joined.
    ///
    /// - Returns: whether anything has changed.
    mutating func updateWiFi() -> Bool {
        shownInterfaces = nil
        return wifi.update()
    }

    /// Whether this host has a Wi-Fi link.
    var hasWiFi: Bool { !wifi.entries.isEmpty }

    /// Whether a Wi-Fi link or modem is down, possibly because its switch is off.
    var hasRadioThatIsOff: Bool {
        tables.links.values.contains { link in
            (wifi.entries[link.index] != nil || devices[link.index] != nil) && !link.flags.contains(.up)
        }
    }

    /// Whether a Wi-Fi link has joined a network.
    ///
    /// Its signal may then change without an event.
    var hasSignal: Bool { wifi.entries.values.contains { $0.link != nil } }

    /// The links with their addresses.
    mutating func interfaces() -> [NetworkInterface] {
        if let shownInterfaces { return shownInterfaces }
        let interfaces = makeInterfaces()
        // The carrier of a PPP link is read from files, whose changes are not announced.
        if !tables.links.values.contains(where: { $0.kind == "ppp" }) { shownInterfaces = interfaces }
        return interfaces
    }

    private func makeInterfaces() -> [NetworkInterface] {
        var devices = devices
        for index in wifi.entries.keys { devices[index] = .wlan }
        for link in tables.links.values where link.kind == "ppp" {
            if metadata.isModem(link) || SerialModems.carries(link) { devices[link.index] = .wwan }
        }
        return tables.interfaces(devices: devices).map {
            metadata.complete($0, tables.links[$0.index], wifi.entries[$0.index])
        }
    }

    /// Replaces the lookups of individual hosts; existing answers are kept.
    mutating func watch(_ questions: Set<RouteLookup>) {
        hosts = hosts.filter { questions.contains($0.key) }
        for question in questions where hosts[question] == nil { hosts[question] = .some(nil) }
    }

    /// Runs only the lookups without an answer.
    ///
    /// Returns the state with those answers, and for how many seconds it is valid at most.
    mutating func complete(
        _ snapshot: NetworkSnapshot
    ) throws(NetlinkError) -> (snapshot: NetworkSnapshot, goodFor: Double?) {
        var earliest: Double?
        let questions = hosts.filter { $0.value == nil }.map(\.key)
        // A change in progress in the kernel has been announced before; it will be read after this.
        for (question, answer) in zip(questions, try lookUp(questions, isSettled: false, &earliest)) {
            hosts[question] = answer
        }
        var snapshot = snapshot
        snapshot.hosts = hosts.compactMapValues(\.self)
        return (snapshot, earliest)
    }

    /// Returns the state with the kernel's current answers, and for how many seconds it is valid at most.
    mutating func snapshot(
        resolver: ResolverConfiguration, isWiFiSwitchedOff: Bool, visibility: Visibility, costs: CostPolicy
    ) throws(NetlinkError) -> (snapshot: NetworkSnapshot, goodFor: Double?) {
        var interfaces = interfaces()
        var earliest = tables.earliestAddressExpiry
        // The first exchange settles the state; later changes are announced.
        var isSettled = false
        let routing = try RoutingAnswers(interfaces) { (questions) throws(NetlinkError) in
            defer { isSettled = true }
            return try lookUp(questions, isSettled: !isSettled, &earliest)
        }
        try findCarriers(of: &interfaces, routing, &earliest)
        let hostQuestions = Array(hosts.keys)
        let hostAnswers = try lookUp(hostQuestions, isSettled: false, &earliest)
        for (question, answer) in zip(hostQuestions, hostAnswers) { hosts[question] = answer }
        let snapshot = NetworkSnapshot(
            interfaces: interfaces, hasRejectingRule: tables.hasRejectingRule, routing: routing,
            hosts: hosts.compactMapValues(\.self), isWiFiSwitchedOff: isWiFiSwitchedOff, resolver: resolver,
            visibility: visibility, costs: costs)
        return (snapshot, earliest)
    }

    /// Finds the links over which the tunnels in use send their packets.
    private mutating func findCarriers(
        of interfaces: inout [NetworkInterface], _ routing: RoutingAnswers, _ earliest: inout Double?
    ) throws(NetlinkError) {
        let tunnels = TunnelCarriers(tables.links)
        let wireGuard = wireGuard
        let found = try tunnels.find(in: routing) { index in
            wireGuard.device(index)
        } lookUp: { (questions) throws(NetlinkError) in
            try lookUp(questions, isSettled: false, &earliest)
        }
        endpoints = found.endpoints
        for place in interfaces.indices { interfaces[place].carrierIndex = found.carriers[interfaces[place].index] }
    }

    private mutating func lookUp(
        _ questions: [RouteLookup], isSettled: Bool = true, _ earliestExpiry: inout Double?
    ) throws(NetlinkError) -> [RouteAnswer] {
        // Even without lookups, a settled exchange waits for the change that the kernel is making.
        let results = isSettled ? try kernel.settledRoutes(questions) : try kernel.routes(questions)
        var answers: [RouteAnswer] = []
        for (question, result) in zip(questions, results) {
            var result = result
            if case .success(let route) = result {
                if let expires = route.expires { earliestExpiry = min(earliestExpiry ?? expires, expires) }
                // With net.ipv4.nexthop_compat_mode off, the kernel returns only a nexthop object: query the path.
                if route.nextHops.isEmpty, route.nextHopID != nil, let path = try? kernel.path(question) {
                    var resolved = route
                    resolved.nextHops = path.nextHops
                    result = .success(resolved)
                }
            }
            // For a packet that must leave by a given link, IPv4 returns this error also if it has no route at all.
            if case .failure(.hostUnreachable) = result, question.interface != nil, question.destination.family == .ipv4
            {
                result = .failure(.networkUnreachable)
            }
            answers.append(try RouteAnswer(question.destination, result))
        }
        return answers
    }
}
#endif
