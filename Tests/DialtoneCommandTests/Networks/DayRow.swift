// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import Synchronization
import TestSupport

/// A fault in a home, and what the history must contain of it.
struct DayRow: Sendable {
    /// The required content of the history.
    enum Truth: Sendable {
        /// An outage with this fault, or this other one, whose ends are at most this number of seconds from the true ones.
        case outage(String, or: String? = nil, within: Double)
        /// An outage with this fault, or with any, or a drop, whose true times are within their margins.
        case noticed(String?)
        /// No outage, or by chance some without a fault, and drops only while no packet passed inward.
        case calm(LinkLog, orChance: Bool)
        /// Each outage of this log of 8 s or more, or a drop, with its times within the margins; and nothing else.
        case each(LinkLog)
        /// A remark contains this text meanwhile. There is no outage, or by chance some without a fault.
        case remark(String, orChance: Bool = false)
        /// Chance decides whether there are outages, but these have no fault.
        case chance
    }

    struct Step: Sendable {
        let seconds: Int
        let begin: @Sendable (FaultLab) async throws -> Void
    }

    let name: String
    let truth: Truth
    let steps: [Step]
    let end: @Sendable (FaultLab) async throws -> Void
    /// What happens just before the fault, and does not count as its time.
    let before: @Sendable (FaultLab) async throws -> Void

    private init(
        _ name: String, _ truth: Truth, _ steps: [Step],
        before: @escaping @Sendable (FaultLab) async throws -> Void = { _ in },
        end: @escaping @Sendable (FaultLab) async throws -> Void
    ) {
        (self.name, self.truth, self.steps, self.before, self.end) = (name, truth, steps, before, end)
    }

    /// A fault on a wire.
    private static func fault(
        _ name: String, for seconds: Int, _ truth: Truth,
        on wire: @escaping @Sendable (RoutedLab.Wires) -> Wire?, _ rule: @escaping Wire.Rule = { _ in .drop }
    ) -> DayRow {
        DayRow(name, truth, [Step(seconds: seconds) { wire($0.wires)?.play(rule) }]) { lab in
            wire(lab.wires)?.play { _ in .pass }
        }
    }

    /// The seconds until the default heartbeat has noticed that a hop is silent, and that a name server is.
    ///
    /// A beat comes after five seconds; it and its repetition are each missed after one or two.
    private static let (beat, nameBeat) = (10.0, 20.0)
    /// The seconds until the next check with the default interval, and its end.
    private static let check = 70.0

    private static let nameServers: Set<NetworkAddress> = ["203.0.113.53", "2001:db8:2::53"]
    private static func names(_ fate: Wire.Fate) -> Wire.Rule {
        { $0.isOutward && $0.destination.map(nameServers.contains) == true ? fate : .pass }
    }
    private static func losing(_ percent: Int) -> Wire.Rule {
        let generator = Mutex(SeededGenerator(seed: UInt64(percent)))
        return { _ in generator.withLock { Int.random(in: 0..<100, using: &$0) } < percent ? .drop : .pass }
    }
    private static let core: @Sendable (RoutedLab.Wires) -> Wire? = { $0.provider.first }

    static let cable = DayRow(
        "cable", .outage("machine", within: beat),
        [Step(seconds: 8) { try await $0.served.network.setCable(connected: false) }]
    ) { try await $0.served.network.setCable(connected: true) }

    /// The link is down for 5 s, and the router answers 10 s before its uplink does.
    static func restart(of seconds: Int) -> DayRow {
        DayRow(
            "router restarts, \(seconds) s", .outage("router", within: beat),
            [
                Step(seconds: 5) { lab in
                    lab.wires.lan.play { _ in .drop }
                    try await lab.setForwarding(false)
                    try await lab.served.network.setCable(connected: false)
                }, Step(seconds: seconds - 15) { try await $0.served.network.setCable(connected: true) },
                Step(seconds: 10) { $0.wires.lan.play { _ in .pass } },
            ]
        ) { try await $0.setForwarding(true) }
    }
    /// A restart after which the router answers, and its uplink only 7 min later.
    static let deadAfterRestart = DayRow(
        "router restarts, provider dead for 7 min", .outage("provider", within: beat),
        restart(of: 30).steps.dropLast() + [Step(seconds: 420) { $0.wires.lan.play { _ in .pass } }],
        end: restart(of: 30).end)
    /// Another link takes over from one whose router is dead.
    ///
    /// The outage ends where the machine moves, and not when that router answers.
    static let failover = DayRow(
        "failover to a second uplink", .outage("router", or: "-", within: beat),
        [Step(seconds: 40) { $0.wires.lan.play { _ in .drop } }]
    ) { lab in
        try await lab.moveToSecondLink()
    }
    /// The address is there again 10 s after the cable; in a home with IPv4 only.
    static let lateAddress = DayRow(
        "cable, then late DHCP", .outage("machine", within: beat),
        [
            Step(seconds: 40) { lab in
                try await lab.served.network.setCable(connected: false)
                try await lab.served.network.client.run {
                    var kernel = try RouteNetlink()
                    try kernel.deleteAddress("192.0.2.2/24", from: kernel.link(named: "up0").index)
                }
            }, Step(seconds: 10) { try await $0.served.network.setCable(connected: true) },
        ]
    ) { try await $0.served.network.join() }
    /// A switch between this machine and the router, which answers again as soon as the link is up.
    static let switchRestart = DayRow(
        "switch restarts", .outage("machine", within: beat),
        [Step(seconds: 45) { try await $0.served.network.setCable(connected: false) }]
    ) { try await $0.served.network.setCable(connected: true) }

    /// The kernel knows a router that has answered recently for up to a minute, and so the router cannot be blamed at first.
    static let dead = fault("dead router", for: 30, .outage("router", or: "-", within: beat), on: { $0.lan })
    static let uplink = fault("silent uplink", for: 45, .outage("provider", within: beat), on: { $0.wan })
    static let unreachable = DayRow(
        "unreachable uplink", .outage("provider", within: beat),
        [Step(seconds: 30) { try await $0.setForwarding(false) }]
    ) { try await $0.setForwarding(true) }
    static func silent(for seconds: Int) -> DayRow {
        fault("dead core, \(seconds) s", for: seconds, .outage("provider", within: beat), on: core)
    }
    /// Long enough to be noticed with the default heartbeat, but perhaps not for a check to conclude in it.
    static func brief(for seconds: Int) -> DayRow {
        fault("dead core, \(seconds) s", for: seconds, .noticed("provider"), on: core)
    }
    /// The cable was out just before, and the network is known for 4 s.
    static let reconnect = DayRow(
        "reconnect, then dead core", .noticed("provider"),
        [Step(seconds: 14) { $0.wires.provider.first?.play { _ in .drop } }],
        before: { lab in
            try await lab.served.network.setCable(connected: false)
            try await TimeSource.system.sleep(for: .seconds(5))
            try await lab.served.network.setCable(connected: true)
            try await TimeSource.system.sleep(for: .seconds(4))
        }
    ) { $0.wires.provider.first?.play { _ in .pass } }
    /// In a home that drops packets to the public resolvers.
    static let blocked = fault(
        "resolvers blocked, silent uplink", for: 30, .outage("provider", within: beat), on: { $0.wan })
    static let silentNames = fault(
        "silent name servers", for: 45, .outage("nameServers", within: nameBeat), on: core, names(.drop))
    static let lateNames = fault(
        "names take 7 s", for: 80, .outage("nameServers", within: check), on: core, names(.late(.seconds(7))))
    static let slowNames = fault(
        "names take 3 s", for: 75, .remark("Names take"), on: core, names(.late(.seconds(3))))
    /// In both directions, so that half of the queries are not answered: a check in a hundred fails.
    ///
    /// It is long enough to contain a whole minute of the heartbeat.
    static let someLoss = fault(
        "30 % loss", for: 130, .remark("packets or their answers are lost", orChance: true), on: core, losing(30))
    /// An hour, or `DIALTONE_HOUR` seconds.
    static let hour = ProcessInfo.processInfo.environment["DIALTONE_HOUR"].flatMap(Int.init) ?? 3600
    /// An hour without an outage, in which packets are lost or late.
    private static func calm(_ name: String, orChance: Bool = false, _ rule: @escaping Wire.Rule) -> DayRow {
        let log = LinkLog()
        return fault(name, for: hour, .calm(log, orChance: orChance), on: core) { packet in
            let fate = rule(packet)
            if case .drop = fate { return fate }
            if !packet.isOutward { log.notePassed() }
            return fate
        }
    }
    /// With 60 % of the packets in each direction, six of seven round trips are lost: a check fails by chance.
    static func loss(_ percent: Int) -> DayRow {
        calm("\(percent) % loss, an hour", orChance: percent > 50, losing(percent))
    }
    /// Round trips of 300 ± 200 ms.
    static let delay = calm("300 ± 200 ms, an hour", late(50...250) { _ in true })
    /// The queue of a slow uplink is never empty.
    static let filledUplink = calm("filled uplink, an hour", late(700...1700) { $0.isOutward })
    private static func late(
        _ milliseconds: ClosedRange<Int>, _ applies: @escaping @Sendable (Wire.Packet) -> Bool
    ) -> Wire.Rule {
        let generator = Mutex(SeededGenerator(seed: 1))
        return { packet in
            applies(packet)
                ? .late(.milliseconds(generator.withLock { Int.random(in: milliseconds, using: &$0) })) : .pass
        }
    }
    /// Outages of 5 to 15 s, which begin at random times: also while a check runs, because each check follows an event soon.
    static var randomOutages: DayRow {
        let log = LinkLog()
        return DayRow(
            "random outages of 5 to 15 s", .each(log),
            [
                Step(seconds: 0) { lab in
                    var random = SeededGenerator(seed: 3)
                    let end = TimeSource.system.now + .seconds(hour)
                    while TimeSource.system.now < end {
                        lab.wires.provider.first?.play { _ in .drop }
                        let begin = Date.wall
                        try await TimeSource.system.sleep(
                            for: .milliseconds(Int.random(in: 5000...15_000, using: &random)))
                        log.note(begin, .wall)
                        lab.wires.provider.first?.play { _ in .pass }
                        try await TimeSource.system.sleep(
                            for: .milliseconds(Int.random(in: 15_000...35_000, using: &random)))
                    }
                },
                // The minute after a silence decides whether it is a drop, and 10 s later its answers are complete.
                Step(seconds: 80) { _ in },
            ]
        ) { _ in }
    }
    /// A box on the router begins to answer for every address after the heartbeat has learnt what is answered.
    static let impostor = DayRow(
        "box answers for every address", .noticed(nil),
        [Step(seconds: 80) { try await $0.setImpostor(true) }]
    ) { try await $0.setImpostor(false) }
    static let muchLoss = fault("60 % loss", for: 60, .chance, on: core, losing(60))
    static let login = DayRow(
        "login page", .outage("portal", within: check),
        [Step(seconds: 75) { $0.served.internet.play(.portal(.redirect)) }]
    ) { $0.served.internet.play(.defaultEndpoints()) }
    static let box = DayRow(
        "box accepts all connections", .outage("provider", within: beat),
        [Step(seconds: 40) { try await $0.setInterception(true) }]
    ) { try await $0.setInterception(false) }
}

extension FaultLab {
    /// Connects the client to the router over a second link, `up1`, which the default route moves to.
    fileprivate func moveToSecondLink() async throws {
        try await served.network.runInRouter { [client = served.network.client] in
            var kernel = try RouteNetlink()
            try kernel.createLink(.veth(name: "lan1", peer: "up1"))
            try kernel.setLink(kernel.link(named: "up1").index, namespace: client)
            let index = try kernel.link(named: "lan1").index
            try kernel.addAddress("192.0.2.129/25", to: index)
            try kernel.setLink(index, up: true)
        }
        var kernel = try RouteNetlink(in: served.network.client)
        let index = try kernel.link(named: "up1").index
        try kernel.addAddress("192.0.2.130/25", to: index)
        try kernel.setLink(index, up: true)
        try defaultRoute(nil)
        try kernel.addRoute(NewRoute(.all(.ipv4), via: "192.0.2.129", interface: index))
    }

    /// Gives the home's router the address of every host, so that it answers in their place; or takes them away.
    fileprivate func setImpostor(_ isOn: Bool) async throws {
        wires.wan.play { _ in isOn ? .drop : .pass }
        try await served.network.runInRouter { try Self.setAddressesOfHosts(isOn) }
    }

    /// Makes the provider's first router accept every connection to a host, and drop all other packets; or stops that.
    fileprivate func setInterception(_ isOn: Bool) async throws {
        guard let router = served.network.provider.first else { return }
        wires.wan.play { !isOn || $0.transport == 6 ? .pass : .drop }
        try await router.run { try Self.setAddressesOfHosts(isOn) }
    }

    /// Gives the calling thread's namespace the address of every host, or takes them away.
    private static func setAddressesOfHosts(_ isOn: Bool) throws {
        let hosts = Self.hosts.values.flatMap { ["203.0.113.\($0)/32", "2001:db8:2::\($0)/128"] }
        var kernel = try RouteNetlink()
        for prefix in hosts.compactMap({ NetworkPrefix($0) }) + publicAddresses {
            if isOn {
                try kernel.addAddress(prefix, to: 1, flags: .noDuplicateDetection)
            } else {
                try kernel.deleteAddress(prefix, from: 1)
            }
        }
    }
}

/// What a link did, by the clock of the test.
final class LinkLog: Sendable {
    private let values = Mutex((passed: [Date](), outages: [(begin: Date, end: Date)]()))

    /// Notes that a packet passes inward now.
    func notePassed() { values.withLock { $0.passed.append(.wall) } }

    /// Notes an outage.
    func note(_ begin: Date, _ end: Date) { values.withLock { $0.outages.append((begin, end)) } }

    /// Whether no packet passed inward between two times.
    func isSilent(from start: Date, to end: Date) -> Bool {
        values.withLock { values in !values.passed.contains { $0 > start && $0 < end } }
    }

    var outages: [(begin: Date, end: Date)] { values.withLock { $0.outages } }
}
