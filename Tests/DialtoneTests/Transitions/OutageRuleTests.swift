// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Tests the side of an outage: tables of its phases, without a monitor.
struct OutageRuleTests {
    /// A phase in short form: the state, the fault and the seconds.
    struct Part: Sendable {
        let seconds: Double
        let record: StateRecord

        init(
            _ seconds: Double, _ state: HistoryState, _ fault: ConnectivityFault? = nil,
            _ cause: ConnectivityCause? = nil,
            _ interface: String = "eth0", type: String = "wiredEthernet"
        ) {
            self.seconds = seconds
            record = StateRecord(
                state, cause: cause.map { HistoryCause($0) }, interfaceName: interface, interfaceType: type,
                reason: cause.map { "\($0)." }, fault: fault)
        }

        static func cable(_ seconds: Double) -> Part { Part(seconds, .offline, .machine, .init(.noCarrier)) }
        static func address(_ seconds: Double) -> Part { Part(seconds, .offline, .machine, .init(.noAddress)) }
        static func silent(_ seconds: Double) -> Part { Part(seconds, .noInternet, .router, .router) }
        static func uplink(_ seconds: Double) -> Part { Part(seconds, .noInternet, .provider, .provider) }
        static func online(_ interface: String = "eth0") -> Part { Part(60, .online, nil, nil, interface) }
    }

    /// The outages in parts that follow each other, between two minutes online.
    static func outages(_ parts: [Part]) -> [Outage] {
        var machine = OutageMachine()
        var outages: [Outage] = []
        var time: Int64 = 1_000_000
        for part in [.online()] + parts {
            let instant = OutageMachine.Timestamp(
                steady: time, wall: Date(timeIntervalSince1970: Double(time) / 1000), earliest: nil)
            if let outage = machine.change(to: part.record, at: instant) { outages.append(outage) }
            time += Int64(part.seconds * 1000)
        }
        let end = OutageMachine.Timestamp(steady: time, wall: Date(timeIntervalSince1970: Double(time) / 1000))
        if let outage = machine.finish(at: end) { outages.append(outage) }
        return outages
    }

    static let rows: [(name: String, parts: [Part], side: ConnectivityFault?, cause: String?)] = [
        ("the router restarts, 30 s", [.cable(5), .silent(15), .uplink(10)], .router, "routerRestarted"),
        ("the router restarts, 68 s", [.cable(4), .silent(40), .uplink(24)], .router, "routerRestarted"),
        (
            "the router restarts, 90 s, and the link is its switch's", [.cable(30), .silent(20), .uplink(40)], .router,
            "routerRestarted"
        ),
        ("the link never goes", [.silent(50), .uplink(20)], .router, "routerRestarted"),
        ("the link goes twice", [.silent(3), .cable(10), .silent(4), .uplink(30)], .router, "routerRestarted"),
        (
            "names fail while the router starts", [.silent(20), Part(30, .limited, .nameServers)], .router,
            "routerRestarted"
        ),
        ("the router and its uplink answer at once", [.silent(40)], .router, "router"),
        (
            "silent for less than 5 s, after a switch restarted", [.cable(40), .silent(4), .uplink(3)], .machine,
            "noCarrier"
        ),
        ("a switch restarts", [.cable(45)], .machine, "noCarrier"),
        ("a cable is out for 40 s, DHCP takes 10 s", [.cable(40), .address(10)], .machine, "noCarrier"),
        ("PPPoE connects again", [.uplink(30)], .provider, "provider"),
        (
            "the provider is dead for 7 min after a restart", [.cable(5), .silent(55), .uplink(420)], .provider,
            "provider"
        ),
        ("the uplink returns just before", [.cable(5), .silent(55), .uplink(299)], .router, "routerRestarted"),
        ("the uplink is dead for 5 min", [.cable(5), .silent(55), .uplink(300)], .provider, "provider"),
        ("the router is off for 20 min", [.silent(1200), .uplink(60)], .router, "router"),
        (
            "the provider is dead, and the router is restarted", [.uplink(180), .silent(60), .uplink(20)], .provider,
            "provider"
        ),
        (
            "nothing answers through a tunnel afterwards",
            [.silent(20), Part(60, .noInternet, .provider, .tunnelSilent)], .provider, "tunnelSilent"
        ),
    ]

    @Test(arguments: rows) func `the phases decide the side`(
        name: String, parts: [Part], side: ConnectivityFault?, cause: String?
    ) throws {
        let outages = Self.outages(parts + [.online()])
        let outage = try #require(outages.first)
        #expect(outages.count == 1)
        #expect(outage.fault == side && outage.cause?.rawValue == cause, "\(name)")
        #expect(outage.phases.count == parts.count && outage.ending == .recovered)
        #expect(outage.milliseconds == outage.phases.reduce(0) { $0 + $1.milliseconds })
    }

    @Test func `each rule decides a row`() {
        let used = Self.rows.compactMap { row in
            Self.outages(row.parts).first.flatMap { outage in
                let facts = OutageFacts(phases: outage.phases, milliseconds: outage.milliseconds)
                return OutageRule.all.first { $0.condition(facts) }?.sign
            }
        }
        #expect(Set(used) == Set(OutageRule.all.map(\.sign)))
    }

    @Test func `while it lasts, the side is provisional`() {
        let parts: [Part] = [.cable(10), .silent(20), .uplink(400)]
        var sides: [ConnectivityFault?] = []
        var machine = OutageMachine()
        var time: Int64 = 0
        for part in [.online()] + parts {
            for _ in 0..<Int(part.seconds / 5) {
                let instant = OutageMachine.Timestamp(steady: time, wall: .distantPast)
                _ = machine.change(to: part.record, at: instant)
                time += 5000
                var copy = machine
                let now = copy.finish(at: .init(steady: time, wall: .distantPast))
                if let now, sides.last != now.fault { sides.append(now.fault) }
            }
        }
        #expect(sides == [.machine, .router, .provider])
    }

    @Test func `an outage ends when another link proves the Internet, and another move is a phase`() {
        let other = Part(20, .noInternet, .provider, .provider, "wlan0")
        let outages = Self.outages([.uplink(30), other, .online("wwan0")])
        #expect(outages.map(\.ending) == [.moved] && outages.map(\.nextInterface) == ["wwan0"])
        #expect(outages.first?.phases.map(\.interfaceName) == ["eth0", "wlan0"])
        // Back on the link on which it began.
        #expect(Self.outages([.uplink(30), other, .online()]).map(\.ending) == [.recovered])
        // A tunnel over the same link is no other link.
        let tunnel = Part(60, .online, nil, nil, "tun0", type: "other")
        #expect(Self.outages([.uplink(30), tunnel]).map(\.ending) == [.recovered])
    }

    /// The rows of doubt: the seconds of each outage with its ending.
    static let doubts: [(parts: [Part], outages: String)] = [
        ([.uplink(10), Part(30, .unverified), .uplink(5), .online()], "45 recovered"),
        ([.uplink(10), Part(30.001, .unverified), .uplink(5), .online()], "10 undecided, 5 recovered"),
        ([.uplink(10), Part(30, .unverified), .online()], "10 recovered"),
        ([.uplink(10), Part(31, .unverified), .online()], "10 undecided"),
        ([.uplink(10), Part(20, .asleep), .uplink(5), .online()], "35 recovered"),
        ([.uplink(10), Part(60, .asleep), .uplink(5), .online()], "10 unwatched, 5 recovered"),
        (
            [.uplink(10), Part(20, .unknown), Part(20, .notWatching), .uplink(5), .online()],
            "10 undecided, 5 recovered"
        ),
        ([.uplink(10), Part(20, .notWatching), Part(20, .unknown), .online()], "10 unwatched"),
        ([.uplink(10), Part(3, .unverified)], "10 undecided"),
        ([.uplink(10)], "10 windowEnd"),
    ]

    @Test(arguments: doubts) func `doubt, sleep and unwatched time have one rule`(parts: [Part], outages: String) {
        let found = Self.outages(parts).map { "\($0.milliseconds / 1000) \($0.ending)" }
        #expect(found.joined(separator: ", ") == outages)
    }

    @Test func `hundreds of phases are bounded, and no time is lost`() throws {
        let parts = (0..<400).map {
            Part(1, .limited, $0.isMultiple(of: 3) ? .router : .provider, .init(rawValue: "c\($0)"))
        }
        let outage = try #require(Self.outages(parts + [.online()]).first)
        #expect(outage.phases.count == OutageMachine.maximumPhases)
        #expect(outage.milliseconds == 400_000)
        #expect(outage.phases.reduce(0) { $0 + $1.milliseconds } == 400_000)
    }

    /// Random runs: outages neither overlap nor contain the Internet, and no failure is outside of them.
    @Test(arguments: 1...20) func `hundreds of outages keep their bounds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kinds: [(Double) -> Part] = [
            Part.cable, Part.address, Part.silent, Part.uplink, { Part($0, .online) }, { Part($0, .unverified) },
            { Part($0, .unknown) }, { Part($0, .asleep) }, { Part($0, .notWatching) },
        ]
        let parts = (0..<2000).map { _ in
            kinds[Int.random(in: 0..<kinds.count, using: &random)](Double(Int.random(in: 1...45, using: &random)))
        }
        let outages = Self.outages(parts)
        #expect(outages.count > 200)
        for (outage, next) in zip(outages, outages.dropFirst()) { #expect(outage.end <= next.start) }
        let down = parts.reduce(0) { $0 + ($1.record.state.availability == .down ? Int64($1.seconds * 1000) : 0) }
        #expect(outages.reduce(0) { $0 + $1.phases.reduce(0) { $0 + $1.milliseconds } } == down)
        for outage in outages {
            #expect(outage.milliseconds == Int64((outage.end.timeIntervalSince(outage.start) * 1000).rounded()))
            #expect(outage.phases.first?.offset == 0 && outage.length > 0)
        }
    }
}
