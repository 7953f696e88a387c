// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

@testable import Dialtone
@testable import SystemSupport

/// A machine and a server at the two ends of a link that loses packets.
private final class LossyLab: Sendable {
    let machine: NetworkNamespace
    let link: LossyLink
    private let far: NetworkNamespace
    private let internet: ScriptedInternet

    static let server = NetworkAddress(192, 0, 2, 1)

    init(_ loss: LossyLink.Loss, _ behavior: ScriptedInternet.Behavior = .online, seed: UInt64 = 1) async throws {
        let (machine, far) = (try NetworkNamespace(), try NetworkNamespace())
        (self.machine, self.far) = (machine, far)
        link = try LossyLink("tun0", from: machine, to: far, seed: seed)
        try await machine.add(["192.0.2.2/24"], to: "tun0")
        try await far.add(["192.0.2.1/24"], to: "tun0")
        internet = try await far.run {
            try ScriptedInternet(behavior, address: "192.0.2.1", httpPort: 80, httpsPort: 443)
        }
        link.lose(loss)
    }

    /// Whether the server's large packets are lost.
    func probe(within patience: Duration = .seconds(4)) async -> LargePacketProbe.Outcome {
        await LargePacketProbe("192.0.2.1", at: Self.server, over: KernelSocketRunner(.inside(machine))).run(
            within: patience)
    }

    /// The measured loss, and whether the server is mute.
    func loss() async -> LossProbe.Outcome {
        await LossProbe(Self.server, port: 80, isFast: true, over: KernelSocketRunner(.inside(machine))).run()
    }

    /// The packets of a check's connections.
    func packets(of endpoints: [String]) async throws -> [SentPackets] {
        var configuration = InternetCheck.Configuration()
        configuration.captivePortalAPI = .off
        configuration.proxies = .bypass
        configuration.quorum = .percent(100)
        configuration.additionalTrustAnchors = [internet.trustAnchor]
        configuration.endpoints = endpoints.map { InternetCheck.Endpoint($0) }
        let prober = SocketHTTPProbe(resolver: ScriptedResolver(), over: KernelSocketRunner(.inside(machine)))
        return try await InternetCheck(configuration, prober: prober).run().endpoints.compactMap(\.packets)
    }
}

/// Large packets that are lost on the wire, and losses that look alike.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .timeLimit(.minutes(5)))
struct LargePacketProbeTests {
    @Test func `large packets arrive over an ordinary link`() async throws {
        let lab = try await LossyLab(.init())
        #expect(await lab.probe(within: .seconds(60)) == .arrive)
    }

    @Test func `an MTU black hole is found`() async throws {
        let lab = try await LossyLab(.init(largest: 600))
        #expect(await lab.probe() == .lost)
    }

    @Test func `a pause after which packets are sent again hides no black hole`() async throws {
        let lab = try await LossyLab(.init(largest: 600))
        lab.link.pause(for: .milliseconds(800))
        #expect(await lab.probe() == .lost)
    }

    /// Each of the handshakes would have to fail or succeed in a certain way.
    @Test(arguments: [0.3, 0.6], 1...6)
    func `lost packets of any size are no black hole`(share: Double, seed: Int) async throws {
        let lab = try await LossyLab(.init(share: share), seed: UInt64(seed))
        #expect(await lab.probe() != .lost)
    }

    @Test func `a server that accepts connections and is silent shows nothing`() async throws {
        let lab = try await LossyLab(.init(largest: 600), .init(https: .silent))
        #expect(await lab.probe() == .unclear)
    }

    @Test func `a refused connection shows nothing`() async throws {
        let lab = try await LossyLab(.init(largest: 600), .init(https: .closed))
        #expect(await lab.probe(within: .seconds(60)) == .unclear)
    }
}

/// The share of lost packets, from the kernel's counts.
@Suite(.timeLimit(.minutes(5)))
struct PacketLossTests {
    private static func counts(
        _ answered: Int, _ repeated: Int = 0, pending: Int = 0, duplicated: Int = 0,
        roundTrip: Duration = .milliseconds(20)
    ) -> Sockets.PacketCounts {
        .init(
            answered: answered, repeated: repeated, pending: pending, duplicated: duplicated, roundTrip: roundTrip)
    }

    /// The counts of some connections, and the share in percent.
    static let rows: [([Sockets.PacketCounts], Int?)] = [
        ([], nil), (Array(repeating: counts(4), count: 12), nil),
        // A filter: nothing comes back, however often it is sent.
        (Array(repeating: counts(1, 4, pending: 4), count: 6) + Array(repeating: counts(4), count: 6), nil),
        (Array(repeating: counts(0, 4, pending: 4), count: 12), nil),
        // One host that is slow or far away.
        ([counts(4, 6)] + Array(repeating: counts(4), count: 11), nil),
        // A round trip of two seconds, within which the kernel sends a packet again.
        (Array(repeating: counts(4, 2, roundTrip: .seconds(2)), count: 12), nil),
        // Answers that are late, as on a busy machine, not lost.
        (Array(repeating: counts(4, 2, duplicated: 2), count: 12), nil),
        // One packet in five is repeated: one in ten is lost in each direction.
        (Array(repeating: counts(4, 1), count: 12), 11),
        (Array(repeating: counts(1, 3), count: 12), 50),
        // Those that were never answered count, once others show that there is loss.
        (Array(repeating: counts(2, 4), count: 4) + Array(repeating: counts(0, 4, pending: 4), count: 8), 62),
    ]

    @Test(arguments: rows.indices) func `repeated packets that were answered in the end show loss`(index: Int) {
        let (counts, percent) = Self.rows[index]
        let loss = PacketLoss(counts.compactMap { SentPackets([$0]) })
        #expect(loss.map { Int(($0.share * 100).rounded()) } == percent)
        #expect(loss?.isMost == percent.map { $0 > 50 })
    }

    /// The measured share, the number of packets of four that each of twelve connections sent again, and the reported percentage.
    @Test(
        arguments: [
            (nil, 0, nil), (nil, 1, nil), (nil, 2, 18), (nil, 4, 29), (0.03, 4, nil), (0.2, 1, nil), (0.2, 2, 18),
            (0.4, 0, 40),
        ] as [(Double?, Int, Int?)])
    func `a measurement that shows almost no loss counts more than late answers`(
        measured: Double?, repeated: Int, percent: Int?
    ) {
        var evidence = InternetCheck.Evidence(url: "http://one.test/", .passed, status: 204)
        evidence.packets = SentPackets(answered: 4, repeated: repeated, recovered: repeated)
        var hops = InternetCheck.Hops()
        hops.loss = measured.map { PacketLoss(share: $0) }
        let report = InternetCheck.Report(
            verdict: .verified, checkedAt: .distantPast, endpoints: Array(repeating: evidence, count: 12), hops: hops)
        #expect(Facts(report).packetLoss.map { Int(($0.share * 100).rounded()) } == percent)
        #expect(report.remarks.contains { $0.kind == .packetLoss } == (percent != nil))
    }

    @Test func `the sentence gives the share`() {
        #expect("\(PacketLoss(share: 0.7))" == "Most packets are lost.")
        #expect("\(PacketLoss(share: 0.304))" == "About 30 % of packets are lost.")
    }

    private static func accepted(_ milliseconds: Int, _ count: Int = 1, repeated: Int = 0) -> [Sockets.PacketCounts] {
        Array(repeating: counts(1, repeated, roundTrip: .milliseconds(milliseconds)), count: count)
    }

    /// The connections of 32 that were accepted, and the share in percent.
    static let measurements: [([Sockets.PacketCounts], Int?)] = [
        (accepted(20, 32), 0), (accepted(20, 16) + accepted(20, 8, repeated: 1), 29), (accepted(20, 3), 69),
        // A second after its first answer, which was lost, the server answered again.
        (accepted(20, 3) + accepted(1019), 69), (accepted(20, 2) + accepted(1014, 3), 75),
        (accepted(1019, 2) + accepted(20, repeated: 1), 100), (accepted(20, 2) + accepted(600), 69),
        // Answers take too long, all of them or more and more.
        (accepted(500, 32), nil), (accepted(1100, 32), nil), (accepted(20, 10) + accepted(600, 22), nil),
        ([], nil),
    ]

    @Test(arguments: measurements.indices) func `first answers in time show the loss of many connections`(index: Int) {
        let (accepted, percent) = Self.measurements[index]
        #expect(LossProbe.loss(accepted, of: 32).map { Int(($0.share * 100).rounded()) } == percent)
    }

    @Test func `silence is loss only where answers are known to be fast`() {
        #expect(LossProbe.loss([], of: 64, isFast: true)?.isMost == true)
    }

    private static let http = (1...24).map { "http://192.0.2.1/generate_204?\($0)" }

    @Test(.requires(.networkNamespaces), .requires(.tunnels))
    func `a link that loses two packets of three is found`() async throws {
        let lab = try await LossyLab(.init(share: 0.65))
        let packets = try await lab.packets(of: Self.http)
        let loss = try #require(PacketLoss(packets), "\(packets)")
        // Connections that the check ends early have lost less.
        #expect(loss.share > 0.2 && loss.share < 0.85, "\(loss.share) of \(packets)")
    }

    /// With 32 connections, the estimate may be wrong by a fifth.
    @Test(.requires(.networkNamespaces), .requires(.tunnels), arguments: [0.6, 0.7], 1...3)
    func `most packets are lost, as the answers to many connections show`(share: Double, seed: Int) async throws {
        let lab = try await LossyLab(.init(share: share), seed: UInt64(seed))
        let loss = try #require(await lab.loss().loss)
        #expect(loss.isSevere && loss.share > share - 0.25, "\(loss.share)")
    }

    @Test(.requires(.networkNamespaces), .requires(.tunnels))
    func `connections that are accepted show that nothing is lost, refused ones show nothing`() async throws {
        let outcome = try await LossyLab(.init(largest: 600)).loss()
        #expect(outcome.loss.map { !$0.isSevere } == true && !outcome.isMute)
        #expect(try await LossyLab(.init(), .init(http: .closed)).loss() == .init())
    }

    @Test(.requires(.networkNamespaces), .requires(.tunnels))
    func `connections over which nothing comes back are accepted by something else`() async throws {
        let outcome = try await LossyLab(.init(), .silent).loss()
        #expect(outcome.isMute && outcome.loss?.isSlight == true)
    }

    @Test(.requires(.networkNamespaces), .requires(.tunnels))
    func `a link that loses nothing, and a filter of HTTPS, show no loss`() async throws {
        for behavior in [ScriptedInternet.Behavior.online, .init(https: .silent)] {
            let lab = try await LossyLab(.init(), behavior)
            let packets = try await lab.packets(of: Self.http.suffix(4) + ["https://192.0.2.1/generate_204"])
            #expect(PacketLoss(packets) == nil, "\(packets)")
            #expect(packets.allSatisfy { $0.answered > 0 }, "\(packets)")
        }
    }

    @Test(.requires(.networkNamespaces), .requires(.tunnels))
    func `an MTU black hole shows no loss`() async throws {
        let lab = try await LossyLab(.init(largest: 600))
        let packets = try await lab.packets(of: ["https://192.0.2.1/generate_204"] + Self.http.suffix(4))
        #expect(PacketLoss(packets) == nil, "\(packets)")
    }
}

/// When a measurement of the loss starts connections and ends, on virtual time.
struct LossMachineTests {
    private static let counts = Sockets.PacketCounts(
        answered: 1, repeated: 0, pending: 0, duplicated: 0, roundTrip: .milliseconds(20))

    /// Runs a measurement whose look at the sockets comes every 20 ms.
    ///
    /// - Parameters:
    ///   - isAccepted: whether the connection with a number is accepted.
    ///   - number: the number of greetings after which one is answered; nil if none is.
    /// - Returns: the numbers of connections and greetings, the time at the end, and the outcome.
    private func run(
        isFast: Bool = true, answeringGreeting number: Int? = nil, _ isAccepted: (Int) -> Bool
    ) -> (started: Int, greetings: Int, end: Duration, outcome: LossProbe.Outcome) {
        var machine = LossProbe.Machine(isFast: isFast)
        var (started, greetings, now) = (0, 0, Duration.zero)
        var accepted: Set<Int> = []
        while !machine.isOver(at: now), now < .seconds(60) {
            if machine.startsConnection(at: now) {
                started += 1
                machine.handle(.started, at: now)
            }
            now += .milliseconds(20)
            for place in 0..<started where isAccepted(place) && accepted.insert(place).inserted {
                machine.handle(.accepted(place, Self.counts), at: now)
                guard machine.sendsGreeting else { continue }
                greetings += 1
                machine.handle(.greeted, at: now)
            }
            if let number, greetings >= number { machine.handle(.answered, at: now) }
        }
        return (started, greetings, now, machine.outcome)
    }

    @Test func `32 connections that are accepted and answered end the measurement`() {
        let run = run(answeringGreeting: 1) { _ in true }
        #expect(run.started == 32 && run.greetings == 1)
        #expect(run.end == .milliseconds(640))
        #expect(run.outcome == .init(loss: PacketLoss(share: 0), isAnswered: true))
    }

    @Test func `silence is awaited for almost a second, before which no packet is repeated`() {
        let run = run(answeringGreeting: 1) { $0 != 7 }
        #expect(run.started == 32)
        #expect(run.end == .milliseconds(31 * 20 + 920))
        #expect(run.outcome.loss == PacketLoss(31, of: 32))
    }

    @Test func `at most sixteen connections without an answer start`() {
        let none = run { _ in false }
        #expect(none.started == 16 && none.end <= LossProbe.duration)
        #expect(none.outcome.loss?.isMost == true)
        #expect(run(isFast: false) { _ in false }.outcome == .init())
        #expect(run { $0 == 5 }.started == 17)
        let some = run { $0 % 4 == 0 }
        #expect(some.started == 22 && some.outcome.loss == PacketLoss(6, of: 22))
        #expect(run { $0 % 2 == 0 }.started == 32)
    }

    @Test func `where answers are late, connections start when earlier ones are accepted, and end in time`() {
        var machine = LossProbe.Machine(isFast: true)
        var (open, accepted, now, most) = ([Duration](), 0, Duration.zero, 0)
        while !machine.isOver(at: now), now < .seconds(60) {
            if machine.startsConnection(at: now) {
                open.append(now)
                machine.handle(.started, at: now)
            }
            most = max(most, open.count - accepted)
            now += .milliseconds(20)
            while accepted < open.count, open[accepted] + .milliseconds(420) <= now {
                machine.handle(.accepted(accepted, Self.counts), at: now)
                accepted += 1
            }
        }
        #expect(most == 16 && open.count == 32 && now <= LossProbe.duration)
        #expect(machine.outcome.loss == PacketLoss(share: 0))
    }

    @Test func `eight greetings without any answer show that something else accepts connections`() {
        let mute = run { _ in true }
        #expect(mute.greetings == 8)
        #expect(mute.outcome.isMute && mute.outcome.loss?.isSlight == true)
        #expect(mute.end == .milliseconds(31 * 20 + 920))
        // The answers to the others may be lost.
        #expect(!run(answeringGreeting: 8) { _ in true }.outcome.isMute)
        #expect(!run { $0 < 7 }.outcome.isMute)
        #expect(run { $0 < 12 }.outcome.loss?.isSevere == true)
        #expect(!run { $0 < 12 }.outcome.isMute)
    }

    @Test func `what happened in time counts although the thread looks late`() {
        var machine = LossProbe.Machine(isFast: true)
        for _ in 0..<32 {
            machine.handle(.started, at: .zero)
            machine.handle(.accepted(0, Self.counts), at: .zero)
        }
        #expect(!machine.isOver(at: .milliseconds(919)))
        for place in 1..<32 { machine.handle(.accepted(place, Self.counts), at: .seconds(5)) }
        #expect(machine.isOver(at: .seconds(5)))
        #expect(machine.outcome.loss == PacketLoss(share: 0))
    }
}
#endif
