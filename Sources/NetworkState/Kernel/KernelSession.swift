//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// One life of the sockets: hears events, keeps what must be read because of them, and reads it.
struct KernelSession: ~Copyable {
    private var events: NetlinkSubscription
    private var reader: KernelReader
    private var resolver: ResolverWatch
    private var surroundings: Surroundings
    private let visibility: Visibility
    private let pace: KernelPace
    private var pending: Pending = .everything
    /// What was told last, and still holds but for what is pending.
    private var latest: NetworkSnapshot?
    /// Which hosts are watched, by the number of their list.
    private var watchedVersion: UInt64 = 0
    /// The watched hosts' addresses, and those of the other ends of tunnels in use.
    private var watchedAddresses: Set<InetAddress> = []
    private var endpoints: Set<InetAddress> = []
    /// When the state must be looked at again without an event: something in it ends then.
    private var deadline: Double?
    /// When the signals of Wi-Fi links are measured again.
    private var signalDeadline: Double?
    /// When that is looked at which is not announced; events in between do not put it off.
    private var pollingDeadline: Double?

    /// What must be read before the state can be told.
    private struct Pending: OptionSet {
        let rawValue: UInt8
        static let everything = Self(rawValue: 1)
        static let addresses = Self(rawValue: 2)
        static let rules = Self(rawValue: 4)
        static let hardware = Self(rawValue: 8)
        static let routing = Self(rawValue: 16)
        static let resolver = Self(rawValue: 32)
        static let newHosts = Self(rawValue: 64)
    }

    /// Subscribes.
    ///
    /// Reading comes after that, so that what happens in between is heard.
    init(
        pace: KernelPace, resolverFiles: ResolverWatch.Files, bus: BusAddress? = .system
    ) throws(NetlinkError) {
        let events = try NetlinkSubscription(MulticastGroup.routing, receiveBuffer: pace.receiveBuffer)
        events.limitRoutes(toThoseCovering: RoutingQuestions.all)
        reader = try KernelReader()
        resolver = ResolverWatch(resolverFiles)
        visibility = Self.essentialRefusal(events.refused).map { .polling(because: $0) } ?? .live
        surroundings = Surroundings(bus: bus)
        surroundings.settle(within: pace.firstAnswerBound)
        self.events = events
        self.pace = pace
    }

    /// Takes over which hosts are watched.
    ///
    /// The socket hears of their routes before they are asked about, so that no change falls in between.
    mutating func watch(_ watched: SubscriberList.Watched) {
        guard watched.version != watchedVersion else { return }
        watchedVersion = watched.version
        watchedAddresses = Set(watched.hosts.map(\.destination))
        hearRoutes()
        reader.watch(watched.hosts)
        pending.insert(.newHosts)
    }

    /// Hears of the routes that cover an address somebody asks about.
    private func hearRoutes() {
        events.limitRoutes(toThoseCovering: Set(RoutingQuestions.all).union(watchedAddresses).union(endpoints))
    }

    /// Reads what is pending.
    ///
    /// The kernel makes some changes in several steps: a link that is deleted first goes down. The answers come when the
    /// whole change is made, and then the rest of its events is waiting too. They are taken in before the state is told,
    /// so that one change is one publication.
    ///
    /// - Returns: the state, or nil when nothing was pending.
    mutating func refresh() throws(NetlinkError) -> NetworkSnapshot? {
        try collect()
        guard !pending.isEmpty else { return nil }
        var snapshot = try read()
        try collect()
        // The first answers may take long, because they wait for the end of the kernel's change. The bound is for what
        // comes after.
        let start = MonotonicTime.now
        while !pending.isEmpty, MonotonicTime.now - start < pace.stormBound {
            snapshot = try read()
            try collect()
        }
        return snapshot
    }

    private mutating func read() throws(NetlinkError) -> NetworkSnapshot {
        if pending == .newHosts, let latest {
            let state = try reader.complete(latest)
            pending = []
            self.latest = state.snapshot
            if let end = end(state.goodFor) { deadline = min(deadline ?? end, end) }
            return state.snapshot
        }
        if pending.contains(.everything) {
            try reader.reload()
        } else {
            if pending.contains(.addresses) { try reader.reloadAddresses() }
            if pending.contains(.rules) { try reader.reloadRules() }
            if pending.contains(.hardware) {
                reader.identifyHardware()
            } else if reader.hasWiFi {
                _ = reader.updateWiFi()
            }
        }
        if reader.hasWiFi, surroundings.listenToWiFi() { _ = reader.updateWiFi() }
        // Where switches cannot be watched, the link that went down because of one is the hint. Where they can, the link goes
        // down before the switch is announced.
        if reader.hasRadioThatIsOff { surroundings.refreshRadios() }
        reader.facts = surroundings.facts
        let state = try reader.snapshot(
            resolver: resolver.current, isWiFiSwitchedOff: surroundings.isWiFiSwitchedOff, visibility: visibility,
            costs: surroundings.costs)
        pending = []
        if reader.endpoints != endpoints {
            endpoints = reader.endpoints
            hearRoutes()
            // What happened to their routes before that was not heard.
            if !endpoints.isEmpty { pending = .routing }
        }
        latest = state.snapshot
        signalDeadline = reader.hasSignal ? MonotonicTime.now + pace.signalInterval : nil
        deadline = end(state.goodFor)
        return state.snapshot
    }

    /// The kernel's clock ticks a hundred times a second, so an end is past only a little later.
    private func end(_ goodFor: Double?) -> Double? {
        goodFor.map { MonotonicTime.now + max($0, 0) + 0.05 }
    }

    /// Waits until something happens, and takes it in: to the last event, or for as long as the storm bound.
    mutating func wait(orUntil wakeEvent: WakeEvent?) throws(NetlinkError) {
        if !(isPolling || resolver.mustBePolled) {
            pollingDeadline = nil
        } else if pollingDeadline == nil {
            pollingDeadline = MonotonicTime.now + pace.pollingInterval
        }
        let numbers =
            [events.descriptorNumber, resolver.descriptorNumber, wakeEvent?.number ?? -1]
            + surroundings.descriptorNumbers
        let ready = Readiness.wait(for: numbers, seconds: longestWait(isWakeable: wakeEvent != nil))
        if ready[2] { wakeEvent?.clear() }
        if ready[1], resolver.update() { pending.insert(.resolver) }
        if ready[0] { try collect() }
        if let pollingDeadline, MonotonicTime.now >= pollingDeadline { poll() }
        if let deadline, MonotonicTime.now >= deadline { pending.formUnion([.addresses, .routing]) }
        takeInSurroundings(ready)
    }

    /// Looks at what is not announced.
    private mutating func poll() {
        pollingDeadline = MonotonicTime.now + pace.pollingInterval
        if isPolling {
            pending.insert(.everything)
            surroundings.refreshRadios()
        }
        if resolver.update() { pending.insert(.resolver) }
    }

    private mutating func takeInSurroundings(_ ready: [Bool]) {
        let news = surroundings.update(ready: ready.dropFirst(3), hasNews: ready[0])
        let isTimeToMeasure = signalDeadline.map { MonotonicTime.now >= $0 } ?? false
        if isTimeToMeasure { signalDeadline = MonotonicTime.now + pace.signalInterval }
        if news.contains(.wifi) || isTimeToMeasure, reader.updateWiFi() { pending.insert(.routing) }
        if news.contains(.facts) { pending.insert(.routing) }
    }

    private var isPolling: Bool {
        if case .polling = visibility { true } else { false }
    }

    private func longestWait(isWakeable: Bool) -> Double? {
        // The storm bound let the state be told before all of it was read.
        if !pending.isEmpty { return 0 }
        var waits: [Double] = []
        for deadline in [deadline, signalDeadline, pollingDeadline, surroundings.deadline] {
            if let deadline { waits.append(deadline - MonotonicTime.now) }
        }
        if !isWakeable { waits.append(pace.withoutWakeEvent) }
        return waits.min()
    }

    private mutating func collect() throws(NetlinkError) {
        let datagramsAtOnce = 256
        let start = MonotonicTime.now
        var hints: KernelTables.Hints = []
        var result = NetlinkSubscription.Drained.more
        while result == .more, MonotonicTime.now - start < pace.stormBound {
            result = try drain(datagramsAtOnce, &hints)
        }
        if result == .lost {
            // What is still waiting may contradict what was lost: drop it, then read everything.
            while try discard(datagramsAtOnce) != .empty, MonotonicTime.now - start < pace.stormBound * 2 {}
            pending.insert(.everything)
        }
        if hints.contains(.rules) { pending.insert(.rules) }
        if hints.contains(.hardware) { pending.insert(.hardware) }
        if hints.contains(.routing) { pending.insert(.routing) }
    }

    private mutating func drain(
        _ most: Int, _ hints: inout KernelTables.Hints
    ) throws(NetlinkError) -> NetlinkSubscription.Drained {
        var found: KernelTables.Hints = []
        // Taken apart so that the closure changes the reader while the events are being read.
        let result = try Self.drain(&events, most: most, into: &reader, &found)
        hints.formUnion(found)
        return result
    }

    private static func drain(
        _ events: inout NetlinkSubscription, most: Int, into reader: inout KernelReader,
        _ hints: inout KernelTables.Hints
    ) throws(NetlinkError) -> NetlinkSubscription.Drained {
        try events.drain(most: most) { (header, payload) throws(NetlinkError) in
            hints.formUnion(try reader.apply(header, payload))
        }
    }

    private mutating func discard(_ most: Int) throws(NetlinkError) -> NetlinkSubscription.Drained {
        try events.drain(most: most) { _, _ in }
    }

    /// Why changes must be looked for: one of the groups without which the state would be wrong was refused.
    ///
    /// Nexthop objects are missing before Linux 5.3 and rules in some sandboxes; nothing else depends on those there.
    private static func essentialRefusal(_ refused: [MulticastGroup: NetlinkError]) -> NetlinkError? {
        let essential: [MulticastGroup] = [.link, .ipv4Address, .ipv6Address, .ipv4Route, .ipv6Route]
        return essential.lazy.compactMap { refused[$0] }.first
    }
}

/// How the kernel source paces itself, in seconds.
struct KernelPace: Sendable {
    /// How many bytes of events may wait.
    var receiveBuffer: Int32 = 1 << 20
    /// How long the first state waits for NetworkManager, where it runs.
    var firstAnswerBound = 0.3
    /// How often the signal of a joined Wi-Fi network is measured: nobody announces its changes.
    var signalInterval = 30.0
    /// The longest delay of news in a storm.
    var stormBound = 0.02
    /// How often the state is read where changes are not announced.
    var pollingInterval = 2.0
    /// The first wait after a failure; it doubles.
    var firstRetry = 0.05
    /// The longest wait after a failure.
    var longestRetry = 10.0
    /// How long to wait where nobody can wake the thread, for want of a descriptor.
    var withoutWakeEvent = 0.5
}
#endif
