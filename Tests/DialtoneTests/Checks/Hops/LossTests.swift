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
        await LargePacketProbe(
            host: "192.0.2.1", address: Self.server, runner: KernelSocketRunner(.inside(machine))
        ).run(within: patience)
    }

    /// The measured loss, and whether the server is mute.
    func loss() async -> LossProbe.Outcome {
        await LossProbe(address: Self.server, port: 80, runner: KernelSocketRunner(.inside(machine))).run()
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
    /// The measured share in percent, and whether it is a remark.
    @Test(arguments: [(nil, false), (0, false), (9, false), (20, true), (40, true)] as [(Int?, Bool)])
    func `a measured loss is a remark, and repeated packets of connections are not`(percent: Int?, isRemark: Bool) {
        var evidence = InternetCheck.Evidence(url: "http://one.test/", .passed, status: 204)
        evidence.packets = SentPackets(answered: 4, repeated: 4, recovered: 4)
        var hops = InternetCheck.Hops()
        hops.loss = percent.map { PacketLoss(share: Double($0) / 100) }
        let report = InternetCheck.Report(
            verdict: .verified, checkedAt: .distantPast, endpoints: Array(repeating: evidence, count: 12), hops: hops)
        #expect(Facts(report).packetLoss == (isRemark ? hops.loss : nil))
        #expect(report.remarks.contains { $0.kind == .packetLoss } == isRemark)
    }

    @Test func `the sentence gives the loss of round trips, as far as it is known`() {
        #expect("\(PacketLoss(8, of: 31))" == "About 56 to 87 % of packets or their answers are lost.")
        #expect("\(PacketLoss(15, of: 31))" == "About 34 to 69 % of packets or their answers are lost.")
        #expect("\(PacketLoss(40, of: 60))" == "About 22 to 46 % of packets or their answers are lost.")
    }

    /// The round trips of connections in their order, in milliseconds, nil for those that are not accepted, and the share in percent.
    static let measurements: [([Int?], Int?)] = [
        (Array(repeating: 20, count: 32), 0), (Array(repeating: [20, nil], count: 16).flatMap(\.self) + [20], 29),
        (Array(repeating: [nil, nil, nil, 20], count: 8).flatMap(\.self), 52),
        // A second after its first answer, which was lost, the server answered again.
        (Array(repeating: [1019, 20], count: 16).flatMap(\.self), 30), ([20] + Array(repeating: 1014, count: 31), nil),
        // Packets after the last answer may be late or lost.
        (Array(repeating: 20, count: 12) + Array(repeating: nil, count: 20), 0),
        (Array(repeating: 20, count: 6) + Array(repeating: nil, count: 20), nil),
        // What was lost before an answer is lost, however few packets were answered.
        ([nil, nil, nil, 20] + Array(repeating: nil, count: 21), 100), ([nil, 20, 20, 20], nil),
        // Answers take too long, all of them or more and more.
        (Array(repeating: 500, count: 32), nil), (Array(repeating: 1100, count: 32), nil),
        (Array(repeating: 20, count: 10) + Array(repeating: 600, count: 22), nil), ([], nil),
        (Array(repeating: nil, count: 24), nil),
    ]

    @Test(arguments: measurements.indices) func `first answers in time show the loss of many connections`(index: Int) {
        let (roundTrips, percent) = Self.measurements[index]
        let accepted = roundTrips.enumerated().compactMap { place, milliseconds in
            milliseconds.map { (place, LossMachineTests.counts(.milliseconds($0))) }
        }
        let loss = LossProbe.loss(Dictionary(uniqueKeysWithValues: accepted))
        #expect(loss.map { Int(($0.share * 100).rounded()) } == percent)
    }

    /// The share in each direction, and the number of measurements of a thousand without a result.
    @Test(arguments: [(0.05, 0), (0.3, 0), (0.6, 120), (0.7, 400)])
    func `the loss of random packets is within the percentages in 19 of 20 measurements`(share: Double, most: Int) {
        var generator = SeededGenerator(seed: 1)
        let percentage = 100 * (1 - (1 - share) * (1 - share))
        var (right, missing) = (0, 0)
        for _ in 0..<1000 {
            let answers = (0..<64).map { _ in
                Double.random(in: 0..<1, using: &generator) >= share
                    && Double.random(in: 0..<1, using: &generator) >= share
            }
            let loss = LossMachineTests.run { answers[$0] }.outcome.loss
            guard let loss else {
                missing += 1
                continue
            }
            right += (Double(loss.percentages.least)...Double(loss.percentages.most)).contains(percentage) ? 1 : 0
        }
        #expect(missing <= most)
        #expect(Double(right) >= 0.95 * Double(1000 - missing), "\(right) of \(1000 - missing)")
    }

    /// The rate, and the bytes that others have sent into the queue of the line when a connection with this number starts.
    @Test(arguments: [32, 64, 256], [0, 4, 12, 25])
    func `on a line that loses nothing, no loss is measured`(kilobits: Int, burst: Int) {
        for bytes in [0, 1000, 4000, 24000] {
            var end = Duration.zero
            let times = (0..<LossProbe.connections).map { place in
                let start = Duration.milliseconds(20) * place
                end = max(end, start) + .microseconds(((place == burst ? bytes : 0) + 60) * 8000 / kilobits)
                return end + .milliseconds(30) - start
            }
            let outcome = LossMachineTests.run(roundTrips: times).outcome
            #expect(outcome.loss?.share ?? 0 == 0, "\(bytes)")
        }
    }

    /// Each measurement misses with a probability of at most 1/20, as the test with a thousand of them shows: six misses of twenty come
    /// by chance once in 3,000 runs.
    @Test(.requires(.networkNamespaces), .requires(.tunnels), arguments: [0.3, 0.6])
    func `the percentages contain the loss that the link counts, but for a few measurements`(share: Double) async throws
    {
        var (right, measured) = (0, 0)
        for first in stride(from: UInt64(1), through: 20, by: 5) {
            try await withThrowingTaskGroup(of: Bool?.self) { group in
                for seed in first..<first + 5 {
                    group.addTask {
                        let lab = try await LossyLab(.init(share: share), seed: seed)
                        guard let loss = await lab.loss().loss else { return nil }
                        let percentages = Double(loss.percentages.least)...Double(loss.percentages.most)
                        return percentages.contains(100 * lab.link.lossOfRoundTrips)
                    }
                }
                for try await isRight in group {
                    measured += isRight == nil ? 0 : 1
                    right += isRight == true ? 1 : 0
                }
            }
        }
        #expect(measured >= 10 && right >= measured - 5, "\(right) of \(measured)")
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
}

/// When a measurement of the loss starts connections and ends, on virtual time.
struct LossMachineTests {
    /// What the kernel counts of a connection that is accepted after a time.
    static func counts(_ roundTrip: Duration = .milliseconds(20)) -> Sockets.PacketCounts {
        .init(answered: 1, repeated: roundTrip < .seconds(1) ? 0 : 1, pending: 0, duplicated: 0, roundTrip: roundTrip)
    }

    /// Runs a measurement whose look at the sockets comes every 20 ms.
    ///
    /// - Parameters:
    ///   - isAccepted: whether the connection with a number is accepted.
    ///   - number: the number of greetings after which one is answered; nil if none is.
    /// - Returns: the numbers of connections and greetings, the time at the end, and the outcome.
    static func run(
        answeringGreeting number: Int? = nil, roundTrips: [Duration] = [], _ isAccepted: (Int) -> Bool = { _ in true }
    ) -> (started: Int, greetings: Int, end: Duration, outcome: LossProbe.Outcome) {
        var machine = LossProbe.Machine()
        var (started, greetings, now) = (0, 0, Duration.zero)
        var accepted: Set<Int> = []
        var starts: [Duration] = []
        while !machine.isOver(at: now), now < .seconds(60) {
            if machine.startsConnection(at: now) {
                started += 1
                starts.append(now)
                machine.handle(.started, at: now)
            }
            now += .milliseconds(20)
            for place in 0..<started where isAccepted(place) && !accepted.contains(place) {
                let roundTrip = place < roundTrips.count ? roundTrips[place] : .milliseconds(20)
                guard starts[place] + roundTrip <= now else { continue }
                accepted.insert(place)
                machine.handle(.accepted(place, counts(roundTrip)), at: now)
                guard machine.sendsGreeting else { continue }
                greetings += 1
                machine.handle(.greeted, at: now)
            }
            if let number, greetings >= number { machine.handle(.answered, at: now) }
        }
        return (started, greetings, now, machine.outcome)
    }

    @Test func `32 connections that are accepted and answered end the measurement`() {
        let run = Self.run(answeringGreeting: 1) { _ in true }
        #expect(run.started == 32 && run.greetings == 1)
        #expect(run.end == .milliseconds(640))
        #expect(run.outcome == .init(loss: PacketLoss(31, of: 31), isAnswered: true))
    }

    @Test func `silence is awaited for almost a second, before which no packet is repeated`() {
        let run = Self.run(answeringGreeting: 1) { $0 != 7 }
        #expect(run.started == 32)
        #expect(run.end == .milliseconds(31 * 20 + 920))
        #expect(run.outcome.loss == PacketLoss(30, of: 31))
    }

    @Test func `at most 24 connections without an answer start`() {
        let none = Self.run { _ in false }
        #expect(none.started == 24 && none.end <= LossProbe.duration)
        #expect(none.outcome == .init(lossAtMost: PacketLoss(0, of: 24)))
        #expect(Self.run { $0 == 5 }.started == 25)
        let some = Self.run { $0 % 4 == 0 }
        #expect(some.started == 32 && some.outcome.loss == PacketLoss(7, of: 28))
    }

    @Test func `where the loss cannot be measured, it is not greater than the share without an answer in time`() {
        let late = Self.run(answeringGreeting: 1, roundTrips: Array(repeating: .milliseconds(800), count: 32)).outcome
        #expect(late.loss == nil && late.lossAtMost == PacketLoss(32, of: 32))
        let few = Self.run(answeringGreeting: 1) { $0 < 2 }.outcome
        #expect(few.loss == nil && few.lossAtMost == PacketLoss(2, of: 26))
        #expect(few.lossAtMost?.percentageAnswered == 8)
        // The second packets of all of them are answered.
        let repeated = Self.run(roundTrips: Array(repeating: .milliseconds(1100), count: 32)).outcome
        #expect(repeated.loss == nil && repeated.lossAtMost?.share == 1)
        #expect(Self.run(answeringGreeting: 1).outcome.lossAtMost == nil)
    }

    @Test func `a silence is explained by a loss as far as the number of packets allows`() {
        #expect(PacketLoss(2, of: 26).mayExplainSilence(of: NameServerProbe.queries))
        #expect(!PacketLoss(2, of: 26).mayExplainSilence(of: 200))
        #expect(!PacketLoss(32, of: 32).mayExplainSilence(of: 2))
        #expect(PacketLoss(0, of: 24).mayExplainSilence(of: 1000))
    }

    @Test func `where answers are late, connections start when earlier ones are accepted, and end in time`() {
        var machine = LossProbe.Machine()
        var (open, accepted, now, most) = ([Duration](), 0, Duration.zero, 0)
        while !machine.isOver(at: now), now < .seconds(60) {
            if machine.startsConnection(at: now) {
                open.append(now)
                machine.handle(.started, at: now)
            }
            most = max(most, open.count - accepted)
            now += .milliseconds(20)
            while accepted < open.count, open[accepted] + .milliseconds(420) <= now {
                machine.handle(.accepted(accepted, Self.counts()), at: now)
                accepted += 1
            }
        }
        #expect(most == 21 && open.count == 32 && now <= LossProbe.duration)
        #expect(machine.outcome.loss == PacketLoss(31, of: 31))
    }

    @Test func `eight greetings without any answer show that something else accepts connections`() {
        let mute = Self.run { _ in true }
        #expect(mute.greetings == 8)
        #expect(mute.outcome.isMute && mute.outcome.loss?.isSlight == true)
        #expect(mute.end == .milliseconds(31 * 20 + 920))
        // The answers to the others may be lost.
        #expect(!Self.run(answeringGreeting: 8) { _ in true }.outcome.isMute)
        #expect(!Self.run { $0 < 7 }.outcome.isMute)
        #expect(!Self.run { $0 % 3 == 0 }.outcome.isMute)
    }

    @Test func `what happened in time counts although the thread looks late`() {
        var machine = LossProbe.Machine()
        for _ in 0..<32 {
            machine.handle(.started, at: .zero)
            machine.handle(.accepted(0, Self.counts()), at: .zero)
        }
        #expect(!machine.isOver(at: .milliseconds(919)))
        for place in 1..<32 { machine.handle(.accepted(place, Self.counts()), at: .seconds(5)) }
        #expect(machine.isOver(at: .seconds(5)))
        #expect(machine.outcome.loss == PacketLoss(31, of: 31))
    }
}
#endif
