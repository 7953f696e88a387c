// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink

/// Reads the kernel's state, from its messages and by querying it.
struct KernelReader: ~Copyable {
    private var kernel: RouteNetlink
    private var tables = KernelTables()
    /// The lookups of individual hosts, with the answers received so far.
    private var hosts: [RouteLookup: RouteAnswer?] = [:]
    private var devices = LinkTable<InterfaceClassifier.DeviceType>()
    private var wifi = WiFiReader()
    private let wireGuard = WireGuardReader()
    /// The remote endpoints of the tunnels in use.
    ///
    /// A route change to one of them may change the tunnel's carrier.
    private(set) var endpoints: Set<NetworkAddress> = []
    /// The link properties that the kernel's link messages do not contain.
    var metadata = LinkMetadata() {
        didSet { if metadata != oldValue { shownInterfaces = nil } }
    }
    /// The interfaces of the last snapshot; nil after an event about links or addresses.
    ///
    /// Most events are about routes, and comparing snapshots is fast if they share unchanged storage.
    private var shownInterfaces: [NetworkInterface]? {
        didSet {
            areReferencesChosen = false
            areSourceQuestionsKnown = false
        }
    }
    /// Whether only the addresses of ``shownInterfaces`` must be updated: most hosts get more events about addresses (from
    /// containers, and when addresses are renewed) than about links.
    private var areAddressesStale = false
    /// Whether one of the links is a tunnel.
    private var hasTunnels = false

    /// The reference lookups for the links, with their answers; nil if they must be chosen again.
    private var references: ReferenceGroups?
    /// Which answers depend on the source address, for the links of ``references``.
    private var sourceQuestions = SourceQuestions([])
    /// Whether ``sourceQuestions`` belongs to ``shownInterfaces``.
    private var areSourceQuestionsKnown = false
    /// Whether the reference lookups were chosen for ``shownInterfaces``.
    private var areReferencesChosen = false
    /// The same groups, encoded.
    private var encodedReferences: [RouteLookupGroup] = []

    init() throws(NetlinkError) {
        kernel = try RouteNetlink()
    }

    /// Applies one event.
    mutating func apply(_ header: MessageHeader, _ payload: RawSpan) throws(NetlinkError) -> KernelTables.Hints {
        let hints = try tables.apply(header, payload)
        switch header.type {
        case .newRoute, .deleteRoute, .newRule, .deleteRule, .newNextHop, .deleteNextHop, .newConfiguration,
            .newNeighbor, .deleteNeighbor:
            break
        case .newAddress, .deleteAddress: areAddressesStale = areAddressesStale || !hints.isEmpty
        default: shownInterfaces = nil
        }
        return hints
    }

    /// Rereads everything.
    mutating func reload() throws(NetlinkError) {
        let links = try kernel.links()
        let addresses = try kernel.addresses()
        let rules = try rules()
        tables.replaceAll(links: links, addresses: addresses, rules: rules)
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
        areSourceQuestionsKnown = false
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
        devices = LinkTable()
        for (index, link) in tables.links.elements { devices[index] = DeviceTypes.read(link) }
        if mayHaveWiFi { _ = wifi.update() }
        shownInterfaces = nil
    }

    /// Whether any link could be Wi-Fi: one that is not virtual.
    private var mayHaveWiFi: Bool {
        tables.links.containsValue { $0.kind == nil && !$0.flags.contains(.loopback) } || hasWiFi
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
        if wifi.entries.isEmpty, devices.isEmpty { return false }
        return tables.links.containsValue { link in
            (wifi.entries[link.index] != nil || devices[link.index] != nil) && !link.flags.contains(.up)
        }
    }

    /// Whether a Wi-Fi link has joined a network.
    ///
    /// Its signal may then change without an event.
    var hasSignal: Bool { wifi.entries.containsValue { $0.link != nil } }

    /// The links with their addresses.
    mutating func interfaces() -> [NetworkInterface] {
        if areAddressesStale { updateAddresses() }
        if let shownInterfaces { return shownInterfaces }
        let interfaces = makeInterfaces()
        hasTunnels = interfaces.contains(where: \.isTunnel)
        // The carrier of a PPP link is read from files, whose changes are not announced.
        if !tables.links.containsValue(where: { $0.kind == "ppp" }) { shownInterfaces = interfaces }
        return interfaces
    }

    private mutating func updateAddresses() {
        areAddressesStale = false
        guard var interfaces = shownInterfaces.take() else { return }
        for place in interfaces.indices {
            let index = interfaces[place].index
            if !tables.hasAddresses(interfaces[place].addresses, of: index) {
                interfaces[place].addresses = tables.addresses(of: index)
            }
        }
        shownInterfaces = interfaces
    }

    private func makeInterfaces() -> [NetworkInterface] {
        var devices = devices
        for (index, _) in wifi.entries.elements { devices[index] = .wlan }
        for (_, link) in tables.links.elements where link.kind == "ppp" {
            if metadata.isModem(link) || SerialModems.carries(link) { devices[link.index] = .wwan }
        }
        return tables.interfaces(devices: devices).map {
            metadata.complete($0, tables.links[$0.index], wifi.entries[$0.index])
        }
    }

    /// The routers that are known to have failed.
    var failedNeighbors: [KernelTables.FailedNeighbor] { tables.failedNeighbors }

    /// The routers that packets to the Internet use, and those that have failed, whose return may change that.
    ///
    /// - Parameter routing: the last answers.
    func routers(of routing: RoutingAnswers) -> [NeighborWatch] { tables.routers(of: routing) }

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
        updateSourceQuestions(snapshot.interfaces)
        // A change in progress in the kernel has been announced before; it will be read after this.
        for (question, answer) in zip(questions, try lookUp(questions, &earliest)) {
            hosts[question] = answer
        }
        var snapshot = snapshot
        snapshot.hosts = hosts.compactMapValues(\.self)
        try findCarriers(of: &snapshot.interfaces, snapshot.routing, &earliest)
        return (snapshot, earliest)
    }

    /// Returns a state with the answers to more lookups, which are not kept.
    mutating func answer(
        _ lookups: Set<RouteLookup>, from state: EvaluatedSnapshot
    ) throws(NetlinkError) -> EvaluatedSnapshot {
        let questions = lookups.filter { state.snapshot.hosts[$0] == nil }
        guard !questions.isEmpty else { return state }
        var snapshot = state.snapshot
        var earliest: Double?
        updateSourceQuestions(snapshot.interfaces)
        for (question, answer) in zip(questions, try lookUp(Array(questions), &earliest)) {
            snapshot.hosts[question] = answer
        }
        return EvaluatedSnapshot(snapshot, after: state)
    }

    /// Returns the state with the kernel's current answers, and the maximum number of seconds for which it is valid.
    ///
    /// - Parameter family: the only family whose routes may have changed; nil for both.
    mutating func snapshot(
        of family: AddressFamily? = nil, resolver: ResolverConfiguration, isWiFiSwitchedOff: Bool,
        visibility: Visibility, costs: CostPolicy
    ) throws(NetlinkError) -> (snapshot: NetworkSnapshot, goodFor: Double?) {
        var interfaces = interfaces()
        var earliest = tables.earliestAddressExpiry
        let routing = try routing(interfaces, family, &earliest)
        if !hosts.isEmpty {
            let hostQuestions = Array(hosts.keys)
            let hostAnswers = try lookUp(hostQuestions, &earliest)
            for (question, answer) in zip(hostQuestions, hostAnswers) { hosts[question] = answer }
        }
        try findCarriers(of: &interfaces, routing, &earliest)
        let snapshot = NetworkSnapshot(
            interfaces: interfaces, hasRejectingRule: tables.hasRejectingRule, routing: routing,
            hosts: hosts.isEmpty ? [:] : hosts.compactMapValues(\.self), isWiFiSwitchedOff: isWiFiSwitchedOff,
            resolver: resolver, visibility: visibility, costs: costs)
        return (snapshot, earliest)
    }

    /// Repeats the reference lookups, of one family or both.
    private mutating func routing(
        _ interfaces: [NetworkInterface], _ family: AddressFamily?, _ earliestExpiry: inout Double?
    ) throws(NetlinkError) -> RoutingAnswers {
        // After an error they are chosen again, so that no answer is kept that was only half received.
        var groups = references.take() ?? chooseReferences(interfaces)
        if !areReferencesChosen, !groups.fits(interfaces) { groups = chooseReferences(interfaces) }
        areReferencesChosen = shownInterfaces != nil
        updateSourceQuestions(interfaces)
        // The first exchange settles the state; later changes are announced.
        var isSettled = false
        let routing = try groups.routing(of: family) { (groups, selected) throws(NetlinkError) in
            try update(&groups, selected, areSettled: !isSettled)
            try chooseSources(&groups, selected)
            isSettled = true
        }
        if let expiry = groups.earliestExpiry { earliestExpiry = min(earliestExpiry ?? expiry, expiry) }
        references = consume groups
        return routing
    }

    private mutating func chooseReferences(_ interfaces: [NetworkInterface]) -> ReferenceGroups {
        let groups = ReferenceGroups(interfaces)
        encodedReferences = groups.all.map { RouteLookupGroup($0.lookups) }
        return groups
    }

    private mutating func update(
        _ groups: inout ReferenceGroups, _ selected: [Int], areSettled: Bool
    ) throws(NetlinkError) {
        var incomplete: [(group: Int, place: Int, route: RouteMessage?)] = []
        try kernel.repeatLookups(selected, of: &encodedReferences, areSettled: areSettled) {
            (group, place, answer) throws(NetlinkError) in
            switch answer {
            case .same(let other): groups.copyAnswer(group, from: other, to: place)
            case .route(let route) where route.lacksNextHops:
                incomplete.append((group, place, route))
                return false
            case .error(.notSupported):
                incomplete.append((group, place, nil))
                return false
            case .route(let route): groups.setAnswer(route, group, place)
            case .error(let errno): try groups.setAnswer(errno, group, place)
            }
            return true
        }
        for (group, place, route) in incomplete {
            switch try completed(route, for: encodedReferences[group].lookups[place]) {
            case .success(let route): groups.setAnswer(route, group, place)
            case .failure(let errno): try groups.setAnswer(errno, group, place)
            }
        }
    }

    private mutating func updateSourceQuestions(_ interfaces: [NetworkInterface]) {
        guard !areSourceQuestionsKnown else { return }
        sourceQuestions = SourceQuestions(interfaces, hasIPv4Rules: tables.hasIPv4SourceRule)
        areSourceQuestionsKnown = shownInterfaces != nil
    }

    /// Looks up again, with the source address that the kernel chooses, what depends on it.
    private mutating func chooseSources(_ groups: inout ReferenceGroups, _ selected: [Int]) throws(NetlinkError) {
        for group in selected {
            let family = groups.all[group].family
            guard let version = family.version,
                sourceQuestions.mayArise(for: version) || groups.hasSourcedAnswers(in: group)
            else { continue }
            for place in groups.all[group].answers.indices {
                var isOpen = sourceQuestions.contains(groups.all[group].answers[place].outcome, for: version)
                // Most links have no route to the Internet. They are asked about only if the others have none either.
                if isOpen, groups.all[group].link != nil, !groups.all[group].answers[place].isRoute {
                    isOpen = groups.hasSourcedAnswers(family)
                }
                let found = try isOpen ? sourced(groups.all[group].lookup(place)) : nil
                groups.setSourcedAnswer(found?.answer, expiringIn: found?.expiry, group, place)
            }
        }
    }

    /// Returns the answer to a lookup for its source address, or the one that the kernel chooses; nil if it chooses none.
    private mutating func sourced(
        _ lookup: RouteLookup
    ) throws(NetlinkError) -> (answer: RouteAnswer, expiry: Double?)? {
        // Where a rule rejects the source, connecting fails: then the source is that of the path without the rules for it.
        let hasRules = sourceQuestions.hasIPv4Rules && lookup.destination.version == .ipv4
        var chosen = lookup.source
        if chosen == nil { chosen = hasRules ? try sourceBeforeRules(lookup) : lookup.sourceOfUnboundSocket() }
        guard let source = chosen else { return nil }
        var question = lookup
        question.source = source
        var route: RouteMessage
        switch try kernel.routes([question])[0] {
        case .success(let found): route = found
        case .failure(let errno):
            if let own = try ownRoute(lookup) {
                route = own
                break
            }
            guard hasRules else { return nil }
            var answer = try RouteAnswer(lookup, errno)
            // There is a route without the rule, so this is not a lack of one.
            if lookup.source == nil { answer.outcome = .rejected }
            return (answer, nil)
        }
        if route.lacksNextHops, case .success(let path) = try completed(route, for: question) { route = path }
        if let link = lookup.interface, !route.nextHops.contains(where: { $0.interface == link }),
            let own = try ownRoute(lookup)
        {
            route = own
        }
        var answer = RouteAnswer(lookup.destination, route)
        if case .route(var found) = answer.outcome {
            found.chosenSource = source
            found.isAdvertisedToHost = route.protocol == .routerAdvertisement && !isForwarding(route.family)
            answer.outcome = .route(found)
        }
        return (answer, route.expires)
    }

    /// The route of an IPv6 socket that is bound to a link; nil for other lookups, and without such a route.
    ///
    /// A lookup with a source looks beyond the link.
    private mutating func ownRoute(_ lookup: RouteLookup) throws(NetlinkError) -> RouteMessage? {
        guard let link = lookup.interface, lookup.source == nil, lookup.destination.version == .ipv6,
            case .success(let route) = try kernel.routes([lookup])[0],
            route.nextHops.contains(where: { $0.interface == link })
        else { return nil }
        return route
    }

    /// The source address of a packet whose lookup met no rule for source addresses; nil if the kernel reports none.
    private mutating func sourceBeforeRules(_ lookup: RouteLookup) throws(NetlinkError) -> NetworkAddress? {
        guard case .success(let path) = try kernel.paths([lookup])[0] else { return nil }
        return path.preferredSource
    }

    /// Whether this host forwards packets; also if the kernel does not report it.
    private mutating func isForwarding(_ family: AddressFamily) -> Bool {
        (try? kernel.configuration(family).isForwarding) ?? true
    }

    /// Queries the path for a lookup whose answer does not tell where packets go.
    ///
    /// - Parameter route: the answer; nil for a kernel that only supports the lookup of the path, such as gVisor's.
    private mutating func completed(
        _ route: RouteMessage?, for lookup: RouteLookup
    ) throws(NetlinkError) -> Result<RouteMessage, NetlinkError.Errno> {
        let path = try kernel.paths([lookup])[0]
        guard var route else { return path }
        if case .success(let path) = path { route.nextHops = path.nextHops }
        return .success(route)
    }

    /// Finds the links over which the tunnels in use send their packets.
    private mutating func findCarriers(
        of interfaces: inout [NetworkInterface], _ routing: RoutingAnswers, _ earliest: inout Double?
    ) throws(NetlinkError) {
        guard hasTunnels else {
            endpoints = []
            return
        }
        let tunnels = TunnelCarriers(tables.links)
        let wireGuard = wireGuard
        let found = try tunnels.find(in: routing, hosts: hosts.values.compactMap(\.self)) { index in
            wireGuard.device(index)
        } lookUp: { (questions) throws(NetlinkError) in
            try lookUp(questions, &earliest)
        }
        endpoints = found.endpoints
        for place in interfaces.indices {
            let carrier = found.carriers[interfaces[place].index]
            // An array that does not change stays shared with the last snapshot.
            if interfaces[place].carrierIndex != carrier { interfaces[place].carrierIndex = carrier }
        }
    }

    /// Looks up individual hosts and the remote endpoints of tunnels.
    private mutating func lookUp(
        _ questions: [RouteLookup], _ earliestExpiry: inout Double?
    ) throws(NetlinkError) -> [RouteAnswer] {
        guard !questions.isEmpty else { return [] }
        var answers: [RouteAnswer] = []
        for (question, result) in zip(questions, try kernel.routes(questions)) {
            var result = result
            if case .success(let route) = result, route.lacksNextHops { result = try completed(route, for: question) }
            var (answer, expiry): (RouteAnswer, Double?)
            switch result {
            case .success(let route):
                answer = RouteAnswer(question.destination, route)
                expiry = route.expires
            case .failure(let errno):
                answer = try RouteAnswer(question, errno)
                expiry = nil
            }
            if let version = question.destination.family.version, !question.destination.isLinkLocal,
                sourceQuestions.contains(answer.outcome, for: version),
                let found = try sourced(question)
            {
                (answer, expiry) = found
            }
            if let expiry { earliestExpiry = min(earliestExpiry ?? expiry, expiry) }
            answers.append(answer)
        }
        return answers
    }
}

extension RouteMessage {
    /// With net.ipv4.nexthop_compat_mode off, the kernel returns only a nexthop object, which may change.
    fileprivate var lacksNextHops: Bool { nextHops.isEmpty && nextHopID != nil }
}
#endif
