//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Reads the kernel's state: what messages have told, and what has to be asked.
struct KernelReader: ~Copyable {
    private var kernel: RouteNetlink
    private var tables = KernelTables()
    /// The questions about single hosts, with the answers that are there.
    private var hosts: [RouteLookup: RouteAnswer?] = [:]
    private var devices: [Int32: InterfaceClassifier.DeviceType] = [:]
    private var wifi = WiFiReader()
    private let wireGuard = WireGuardReader()
    /// The other ends of the tunnels in use: a route to one of them may change what carries the tunnel.
    private(set) var endpoints: Set<InetAddress> = []
    /// What is known of the links from elsewhere.
    var facts = LinkFacts() {
        didSet { if facts != oldValue { shownInterfaces = nil } }
    }
    /// The links as they were shown last, until something is heard of them.
    ///
    /// Most events are about routes, and comparing states is quick where they share what has not changed.
    private var shownInterfaces: [NetworkInterface]?

    init() throws(NetlinkError) {
        kernel = try RouteNetlink()
    }

    /// Takes in one event.
    mutating func apply(_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) -> KernelTables.Hints {
        switch header.type {
        case .newRoute, .deleteRoute: break
        default: shownInterfaces = nil
        }
        return try tables.apply(header, payload)
    }

    /// Reads everything anew.
    mutating func reload() throws(NetlinkError) {
        let links = try kernel.links()
        let addresses = try kernel.addresses()
        let rules = try rules()
        tables = KernelTables(links: links, addresses: addresses, rules: rules)
        identifyHardware()
    }

    /// Reads the addresses anew, after one may have ended.
    mutating func reloadAddresses() throws(NetlinkError) {
        tables.replaceAddresses(try kernel.addresses())
        shownInterfaces = nil
    }

    /// Reads the rules anew.
    mutating func reloadRules() throws(NetlinkError) {
        let rules = try rules()
        tables.replaceRules(rules)
    }

    /// The rules; none where there is no such thing, as in gVisor and in kernels without policy routing.
    private mutating func rules() throws(NetlinkError) -> [RuleMessage] {
        do throws(NetlinkError) {
            return try kernel.rules()
        } catch {
            guard error.code == .kernel, error.errno == .notSupported else { throw error }
            return []
        }
    }

    /// Finds out what hardware is behind the links.
    mutating func identifyHardware() {
        devices = tables.links.compactMapValues(DeviceTypes.read)
        if mayHaveWiFi { _ = wifi.update() }
        shownInterfaces = nil
    }

    /// Whether there is a link that could be Wi-Fi: one that is no virtual one.
    private var mayHaveWiFi: Bool {
        tables.links.values.contains { $0.kind == nil && !$0.flags.contains(.loopback) } || hasWiFi
    }

    /// Reads anew what Wi-Fi links have joined.
    ///
    /// - Returns: whether anything has changed.
    mutating func updateWiFi() -> Bool {
        shownInterfaces = nil
        return wifi.update()
    }

    /// Whether there is Wi-Fi at all.
    var hasWiFi: Bool { !wifi.entries.isEmpty }

    /// Whether a Wi-Fi link or modem is off, and its switch may be the reason.
    var hasRadioThatIsOff: Bool {
        tables.links.values.contains { link in
            (wifi.entries[link.index] != nil || devices[link.index] != nil) && !link.flags.contains(.up)
        }
    }

    /// Whether a Wi-Fi link has joined a network, whose signal may change without a word.
    var hasSignal: Bool { wifi.entries.values.contains { $0.link != nil } }

    /// The links with their addresses.
    mutating func interfaces() -> [NetworkInterface] {
        if let shownInterfaces { return shownInterfaces }
        let interfaces = makeInterfaces()
        // What is behind a serial line is found in files, whose changes are not announced.
        if !tables.links.values.contains(where: { $0.kind == "ppp" }) { shownInterfaces = interfaces }
        return interfaces
    }

    private func makeInterfaces() -> [NetworkInterface] {
        var devices = devices
        for index in wifi.entries.keys { devices[index] = .wlan }
        for link in tables.links.values where link.kind == "ppp" {
            if facts.isModem(link) || SerialModems.carries(link) { devices[link.index] = .wwan }
        }
        return tables.interfaces(devices: devices).map {
            facts.complete($0, tables.links[$0.index], wifi.entries[$0.index])
        }
    }

    /// Replaces the questions about single hosts; answers that are there are kept.
    mutating func watch(_ questions: Set<RouteLookup>) {
        hosts = hosts.filter { questions.contains($0.key) }
        for question in questions where hosts[question] == nil { hosts[question] = .some(nil) }
    }

    /// Asks only what has no answer yet: (state with those answers, seconds that they are good for at most).
    mutating func complete(
        _ snapshot: NetworkSnapshot
    ) throws(NetlinkError) -> (snapshot: NetworkSnapshot, goodFor: Double?) {
        var earliest: Double?
        let questions = hosts.filter { $0.value == nil }.map(\.key)
        // A change that the kernel is making has been announced before: it will be read after this.
        for (question, answer) in zip(questions, try ask(questions, isSettled: false, &earliest)) {
            hosts[question] = answer
        }
        var snapshot = snapshot
        snapshot.hosts = hosts.compactMapValues(\.self)
        return (snapshot, earliest)
    }

    /// The state as a value, with the kernel's present answers, and how many seconds it is good for at most.
    mutating func snapshot(
        resolver: ResolverConfiguration, isWiFiSwitchedOff: Bool, visibility: Visibility, costs: CostRules
    ) throws(NetlinkError) -> (snapshot: NetworkSnapshot, goodFor: Double?) {
        var interfaces = interfaces()
        var earliest = tables.earliestAddressExpiry
        // The first exchange settles the state; what changes from then on is announced.
        var isSettled = false
        let routing = try RoutingAnswers(interfaces) { (questions) throws(NetlinkError) in
            defer { isSettled = true }
            return try ask(questions, isSettled: !isSettled, &earliest)
        }
        try findCarriers(of: &interfaces, routing, &earliest)
        let hostQuestions = Array(hosts.keys)
        let hostAnswers = try ask(hostQuestions, isSettled: false, &earliest)
        for (question, answer) in zip(hostQuestions, hostAnswers) { hosts[question] = answer }
        let snapshot = NetworkSnapshot(
            interfaces: interfaces, hasRejectingRule: tables.hasRejectingRule, routing: routing,
            hosts: hosts.compactMapValues(\.self), isWiFiSwitchedOff: isWiFiSwitchedOff, resolver: resolver,
            visibility: visibility, costs: costs)
        return (snapshot, earliest)
    }

    /// Fills in over which links the tunnels in use send their packets.
    private mutating func findCarriers(
        of interfaces: inout [NetworkInterface], _ routing: RoutingAnswers, _ earliest: inout Double?
    ) throws(NetlinkError) {
        let tunnels = TunnelCarriers(tables.links)
        let wireGuard = wireGuard
        let found = try tunnels.find(in: routing) { index in
            wireGuard.device(index)
        } ask: { (questions) throws(NetlinkError) in
            try ask(questions, isSettled: false, &earliest)
        }
        endpoints = found.endpoints
        for place in interfaces.indices { interfaces[place].carrierIndex = found.carriers[interfaces[place].index] }
    }

    private mutating func ask(
        _ questions: [RouteLookup], isSettled: Bool = true, _ earliestExpiry: inout Double?
    ) throws(NetlinkError) -> [RouteAnswer] {
        // Even without a question a settled exchange waits for the change that the kernel is making.
        let results = isSettled ? try kernel.settledRoutes(questions) : try kernel.routes(questions)
        var answers: [RouteAnswer] = []
        for (question, result) in zip(questions, results) {
            var result = result
            if case .success(let route) = result {
                if let expires = route.expires { earliestExpiry = min(earliestExpiry ?? expires, expires) }
                // With net.ipv4.nexthop_compat_mode off the kernel names only the nexthop object: ask for the path instead.
                if route.nextHops.isEmpty, route.nextHopID != nil, let path = try? kernel.path(question) {
                    var resolved = route
                    resolved.nextHops = path.nextHops
                    result = .success(resolved)
                }
            }
            // For a packet that must leave by a certain link the kernel's IPv4 says this also where it has no route at all.
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
