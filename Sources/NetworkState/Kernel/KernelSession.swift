// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import SystemSupport

/// One set of sockets: receives kernel events, tracks which tables are stale, and rereads them.
struct KernelSession: ~Copyable {
    private var events: NetlinkSubscription
    private var reader: KernelReader
    private var resolver: ResolvConfWatch
    private var metadata: LinkMetadataMonitor
    private let visibility: Visibility
    private let pace: KernelPace
    /// The tables to read again before the state can be published.
    private var pending: KernelTables.Hints = .everything
    private var polled = PollSet(readable: [Int32](repeating: -1, count: 6))
    /// The last published state, valid except for what is pending.
    private var latest: EvaluatedSnapshot?
    /// The version of the list of watched hosts.
    private var watchedVersion: UInt64 = 0
    /// The addresses of the watched hosts, and of the remote endpoints of tunnels in use.
    private var watchedAddresses: Set<NetworkAddress> = []
    private var endpoints: Set<NetworkAddress> = []
    /// The routers whose state is watched.
    private var routers: [NeighborWatch] = []
    /// The failed routers that `routers` was determined from.
    private var failedRouters: [KernelTables.FailedNeighbor] = []
    /// When the state must be reread without an event, because something in it expires.
    private var deadline: Double?
    /// When the signals of Wi-Fi links are measured again.
    private var signalDeadline: Double?
    /// When state that is not announced is polled next; events in between do not postpone it.
    private var pollingDeadline: Double?
    /// Whether ``handleMetadata()`` has not been called yet for the kernel's last events.
    private var isMetadataDue = false

    /// The most routers to watch, unless more are in use.
    private static let mostRouters = 16

    /// Subscribes to the kernel's events.
    ///
    /// Reading starts afterwards, so that no change in between is missed.
    init(pace: KernelPace, resolverFiles: ResolvConfWatch.Files) throws(NetlinkError) {
        let events = try NetlinkSubscription(MulticastGroup.routing, receiveBuffer: pace.receiveBuffer)
        events.limitRoutes(toThoseCovering: ReferenceLookups.all)
        reader = try KernelReader()
        resolver = ResolvConfWatch(resolverFiles)
        visibility = Self.essentialRefusal(events.refused).map { .polling(because: $0) } ?? .live
        metadata = LinkMetadataMonitor(bus: .system)
        metadata.awaitFirstAnswer(within: pace.firstAnswerBound)
        self.events = events
        self.pace = pace
    }

    /// Replaces the watched hosts.
    ///
    /// The socket receives their route changes before the lookups run, so that no change in between is missed.
    mutating func watch(_ watched: SubscriberList.Watched) {
        guard watched.version != watchedVersion else { return }
        watchedVersion = watched.version
        watchedAddresses = Set(watched.hosts.map(\.destination))
        limitEvents()
        reader.watch(watched.hosts)
        pending.insert(.newHosts)
    }

    /// Receives changes of routes that cover a watched address, and of the routers in use.
    private mutating func limitEvents() {
        events.limit(routesTo: ReferenceLookups.all + watchedAddresses + endpoints, neighbors: routers)
    }

    /// Watches the routers in use: the kernel prefers a router that answers, and announces no route when it changes over.
    ///
    /// Routers that are no longer in use are kept, so that a route that comes and goes, or a kernel that uses several in
    /// turn, costs nothing.
    private mutating func watchRouters() {
        guard let latest else { return }
        // Most events concern no other router than those that are already watched.
        let failed = reader.failedNeighbors
        if failed == failedRouters, watches(routersOf: latest.snapshot.routing.general) { return }
        failedRouters = failed
        let needed = reader.routers(of: latest.snapshot.routing)
        let hasReturned = routers.contains { $0.hasFailed && !needed.contains($0) }
        if !hasReturned, needed.allSatisfy(routers.contains) { return }
        let others = routers.filter { router in
            !router.hasFailed && !needed.contains { $0.address == router.address && $0.interface == router.interface }
        }
        routers = needed + others.prefix(max(Self.mostRouters - needed.count, 0))
        limitEvents()
        // A router may have failed before.
        pending.formUnion(.routing)
    }

    /// Returns whether the routers of all answers are watched.
    private func watches(routersOf answers: [RouteAnswer]) -> Bool {
        for place in answers.indices {
            guard case .route(let route) = answers[place].outcome else { continue }
            for hop in route.nextHops {
                guard let gateway = hop.gateway, let interface = hop.interface else { continue }
                if !routers.contains(where: { $0.interface == interface && $0.address == gateway }) { return false }
            }
        }
        return true
    }

    /// Makes `refresh` look up again where packets go, because settings may have changed that the kernel does not announce.
    mutating func reread() { pending.formUnion(.routing) }

    /// Rereads what is pending.
    ///
    /// The kernel makes some changes in several steps: a link that is deleted first goes down. The answers arrive when
    /// the whole change is complete, and the rest of its events is then waiting too. Those events are applied before
    /// the state is published, so that one change is one publication.
    ///
    /// - Returns: the state; nil if nothing was pending.
    mutating func refresh() throws(NetlinkError) -> EvaluatedSnapshot? {
        try collect()
        guard !pending.isEmpty else { return nil }
        var state = try read()
        try collect()
        // The first answers may take a long time, because they wait until the kernel has finished its change. The bound
        // applies only after that.
        let start = MonotonicTime.now
        while !pending.isEmpty, MonotonicTime.now - start < pace.stormBound {
            state = try read()
            try collect()
        }
        return state
    }

    /// Answers a question from the last state; looks up only what that state does not contain, and watches nothing.
    mutating func answer(_ question: StateQuestion) throws(NetlinkError) {
        guard let latest else { return }
        var state = try reader.answer(question.hosts, from: latest)
        state = try reader.answer(question.more(state), from: state)
        question.answer(state)
    }

    private mutating func read() throws(NetlinkError) -> EvaluatedSnapshot {
        if pending == .newHosts, let latest {
            let state = try reader.complete(latest.snapshot)
            pending = []
            watchEndpoints()
            let completed = EvaluatedSnapshot(state.snapshot, after: latest)
            self.latest = completed
            if let end = end(state.goodFor) { deadline = min(deadline ?? end, end) }
            return completed
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
        if reader.hasWiFi, metadata.subscribeToWiFi() { _ = reader.updateWiFi() }
        // If switches cannot be watched, a link that goes down because of one is the hint. If they can, the link still
        // goes down before the switch is announced.
        if reader.hasRadioThatIsOff { metadata.refreshRadios() }
        reader.metadata = metadata.current
        // A pair that is taken apart is moved; otherwise the snapshot is copied, for 800 instructions.
        let (snapshot, goodFor) = try reader.snapshot(
            of: pending.onlyFamily, resolver: resolver.current, isWiFiSwitchedOff: metadata.isWiFiSwitchedOff,
            visibility: visibility, costs: metadata.costs)
        pending = []
        watchEndpoints()
        let latest = EvaluatedSnapshot(snapshot, after: latest)
        self.latest = latest
        signalDeadline = reader.hasSignal ? MonotonicTime.now + pace.signalInterval : nil
        deadline = end(goodFor)
        return latest
    }

    /// Receives route changes of the remote endpoints of tunnels in use.
    private mutating func watchEndpoints() {
        guard reader.endpoints != endpoints else { return }
        endpoints = reader.endpoints
        limitEvents()
        // Earlier route changes of these endpoints were not received.
        if !endpoints.isEmpty { pending = .routing }
    }

    /// Converts a validity in seconds to a deadline.
    ///
    /// The kernel's clock ticks 100 times a second, so expiry shows slightly later.
    private func end(_ goodFor: Double?) -> Double? {
        goodFor.map { MonotonicTime.now + max($0, 0) + 0.05 }
    }

    /// Waits until `refresh` has something to do.
    mutating func wait(orUntil wakeEvent: WakeEvent?) {
        // After the publication: looking for NetworkManager's bus takes four system calls.
        if isMetadataDue { handleMetadata() }
        watchRouters()
        if !(isPolling || resolver.mustBePolled) {
            pollingDeadline = nil
        } else if pollingDeadline == nil {
            pollingDeadline = MonotonicTime.now + pace.pollingInterval
        }
        polled.setNumber(events.descriptorNumber, at: 0)
        polled.setNumber(resolver.descriptorNumber, at: 1)
        polled.setNumber(wakeEvent?.number ?? -1, at: 2)
        polled.setNumber(metadata.wifiDescriptor, at: 3)
        polled.setNumber(metadata.radioDescriptor, at: 4)
        polled.setNumber(metadata.managerDescriptor, at: 5)
        polled.wait(seconds: longestWait(isWakeable: wakeEvent != nil))
        if polled.isReady(2) { wakeEvent?.clear() }
        if polled.isReady(1), resolver.update() { pending.insert(.resolver) }
        if let pollingDeadline, MonotonicTime.now >= pollingDeadline { poll() }
        if let deadline, MonotonicTime.now >= deadline { pending.formUnion([.addresses, .routing]) }
        isMetadataDue = polled.isReady(0) && !(2...5).contains(where: polled.isReady)
        if !isMetadataDue { handleMetadata() }
    }

    /// Polls state whose changes are not announced.
    private mutating func poll() {
        pollingDeadline = MonotonicTime.now + pace.pollingInterval
        if isPolling {
            pending.insert(.everything)
            metadata.refreshRadios()
        }
        if resolver.update() { pending.insert(.resolver) }
    }

    private mutating func handleMetadata() {
        let changes = metadata.update(
            isWiFiReady: polled.isReady(3), areRadiosReady: polled.isReady(4), hasKernelEvent: polled.isReady(0))
        let isTimeToMeasure = signalDeadline.map { MonotonicTime.now >= $0 } ?? false
        if isTimeToMeasure { signalDeadline = MonotonicTime.now + pace.signalInterval }
        if changes.contains(.wifi) || isTimeToMeasure, reader.updateWiFi() { pending.insert(.routing) }
        if changes.contains(.metadata) { pending.insert(.routing) }
    }

    private var isPolling: Bool {
        if case .polling = visibility { true } else { false }
    }

    private func longestWait(isWakeable: Bool) -> Double? {
        // The storm bound caused a publication before everything was read.
        if !pending.isEmpty || events.isCongested { return 0 }
        var longest = isWakeable ? nil : pace.withoutWakeEvent
        func limit(_ deadline: Double?) {
            guard let deadline else { return }
            let wait = deadline - MonotonicTime.now
            longest = min(longest ?? wait, wait)
        }
        limit(deadline)
        limit(signalDeadline)
        limit(pollingDeadline)
        limit(metadata.deadline)
        return longest
    }

    private mutating func collect() throws(NetlinkError) {
        let datagramsAtOnce = 256
        let start = MonotonicTime.now
        var result = NetlinkSubscription.DrainResult.more
        while result == .more, MonotonicTime.now - start < pace.stormBound {
            result = try Self.drain(&events, most: datagramsAtOnce, into: &reader, &pending)
        }
        if result == .lost {
            // Events still queued may contradict what was lost: drop them, then reread everything.
            while try discard(datagramsAtOnce) != .empty, MonotonicTime.now - start < pace.stormBound * 2 {}
            pending.insert(.everything)
        }
    }

    /// The session is split into its parts so that the closure can change the reader while events are being read.
    private static func drain(
        _ events: inout NetlinkSubscription, most: Int, into reader: inout KernelReader,
        _ hints: inout KernelTables.Hints
    ) throws(NetlinkError) -> NetlinkSubscription.DrainResult {
        try events.drain(most: most) { (header, payload) throws(NetlinkError) in
            hints.formUnion(try reader.apply(header, payload))
        }
    }

    private mutating func discard(_ most: Int) throws(NetlinkError) -> NetlinkSubscription.DrainResult {
        try events.drain(most: most) { _, _ in }
    }

    /// The reason for polling, if there is one: the kernel refused a group without which the state would be wrong.
    ///
    /// Nexthop objects are missing before Linux 5.3, and rules in some sandboxes; nothing else depends on those there.
    private static func essentialRefusal(_ refused: [MulticastGroup: NetlinkError]) -> NetlinkError? {
        let essential: [MulticastGroup] = [.link, .ipv4Address, .ipv6Address, .ipv4Route, .ipv6Route]
        return essential.lazy.compactMap { refused[$0] }.first
    }
}

// What the session must reread for other reasons than a message; the bits follow those of messages.
extension KernelTables.Hints {
    fileprivate static let everything = Self(rawValue: 16)
    fileprivate static let addresses = Self(rawValue: 32)
    fileprivate static let resolver = Self(rawValue: 64)
    fileprivate static let newHosts = Self(rawValue: 128)

    /// The only family to look up, if nothing but its routes has changed; otherwise nil, for both.
    ///
    /// Routes that the kernel deletes without announcement are those of a link, an address or a nexthop object that
    /// it announces.
    fileprivate var onlyFamily: AddressFamily? {
        switch self {
        case .ipv4Routing: .ipv4
        case .ipv6Routing: .ipv6
        default: nil
        }
    }
}

/// The intervals and limits of the kernel source, in seconds unless stated otherwise.
struct KernelPace: Sendable {
    /// The size of the receive buffer for events, in bytes.
    var receiveBuffer: Int32 = 1 << 20
    /// The time for which the first state waits for NetworkManager, if it is running.
    var firstAnswerBound = 0.3
    /// The interval between measurements of a joined Wi-Fi network's signal, whose changes are not announced.
    var signalInterval = 30.0
    /// The longest delay of a change during a storm of events.
    var stormBound = 0.02
    /// The polling interval if changes are not announced.
    var pollingInterval = 2.0
    /// The pause after the first failure; it doubles with each further one.
    var firstRetry = 0.05
    /// The longest pause after a failure.
    var longestRetry = 10.0
    /// The polling interval if there is no file descriptor for waking the thread.
    var withoutWakeEvent = 0.5
}
#endif
