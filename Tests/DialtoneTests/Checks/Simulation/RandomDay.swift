// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import Foundation
import NetworkSimulation
import SystemSupport
import TestSupport

@testable import Dialtone
@testable import DialtoneTesting

/// Random faults in a home, one after the other, in six hours: four of them are a day, and run at the same time.
struct RandomDay: Sendable {
    struct Fault: Sendable {
        enum Kind: CaseIterable, Sendable {
            case silentProvider, unreachable, deadRouter, silentNames
        }

        let kind: Kind
        let start: Duration
        let end: Duration

        var length: Duration { end - start }

        /// The sides that may be blamed.
        var sides: Set<ConnectivityFault?> {
            switch kind {
            case .silentProvider, .unreachable: [.provider, nil]
            case .deadRouter: [.router, nil]
            case .silentNames: [.nameServers, nil]
            }
        }

        /// The length from which it must be noticed; a name server is asked every 15 s, and a router is no drop.
        var noticed: Duration {
            switch kind {
            case .silentProvider: .seconds(8)
            case .unreachable: .seconds(8)
            case .deadRouter: .seconds(14)
            case .silentNames: .seconds(45)
            }
        }

        /// The home with the fault.
        var chain: NetworkChain {
            var chain = RandomDay.home
            switch kind {
            case .silentProvider: chain[.provider].passing = [.drops]
            case .unreachable: chain[.provider].passing = [.reportsNoRoute]
            case .deadRouter: chain[.router].isPresent = false
            case .silentNames: chain[.router].answering = [.drops.only(.udpPort(53))]
            }
            return chain
        }
    }

    let seed: UInt64
    let length: Duration
    let faults: [Fault]

    static let home = NetworkChain.home

    init(seed: UInt64, length: Duration = .seconds(21_600)) {
        var random = RandomChoice(seed: seed)
        var faults: [Fault] = []
        var time = Duration.seconds(random.number(in: 100...900))
        while time < length - .seconds(1000) {
            let seconds = random.pick([1...8, 5...15, 8...20, 15...120, 60...600])
            let duration = Duration.milliseconds(
                random.number(in: seconds.lowerBound * 1000...seconds.upperBound * 1000))
            faults.append(
                Fault(kind: random.pick(Fault.Kind.allCases), start: time, end: time + duration))
            time += duration + .milliseconds(random.number(in: 130_000...1_500_000))
        }
        (self.seed, self.length, self.faults) = (seed, length, faults)
    }

    /// Lets a monitor with the defaults of `dialtone serve` live through the day.
    func play() async throws -> PlayedDay {
        let network = ScriptedNetwork(Self.home, seed: seed)
        for fault in faults {
            network.play(fault.chain, after: fault.start)
            network.play(Self.home, after: fault.end)
        }
        let check = try InternetCheck(over: network.transport)
        let player = DayPlayer(network, check)
        await network.run { await player.play(for: length) }
        return player.played
    }
}

/// The records of a day.
struct PlayedDay: Sendable {
    var outages: [Outage] = []
    var silences: [Silence] = []
    var coverages: [HeartbeatCoverage] = []
    /// The number of checks.
    var checks = 0
    /// The packets that the heartbeat counted otherwise than the network.
    var miscounted: [String] = []

    var drops: [Silence] {
        silences.filter { silence in
            silence.isDrop
                && !outages.contains { outage in
                    silence.earliestStart ?? silence.start <= outage.end
                        && outage.earliestStart ?? outage.start <= silence.end
                }
        }
    }
}

/// A monitor, its heartbeat and what records its transitions, over a network in memory and in virtual time.
///
/// `@unchecked Sendable`: everything happens on the thread of the network's work.
private final class DayPlayer: @unchecked Sendable {
    private let network: ScriptedNetwork
    private let check: InternetCheck
    private var machine: ConnectivityMachine
    private var heartbeat = HeartbeatMachine(.init())
    private var collector = SilenceCollector()
    private var sequence = TransitionSequence()
    private(set) var played = PlayedDay()
    private var timer: TimeSource.Cancellation?
    private var beatTimer: (time: Duration, cancel: TimeSource.Cancellation)?
    private let commands = AsyncStream.makeStream(of: (generation: UInt64, path: NetworkPath, name: String?).self)

    init(_ network: ScriptedNetwork, _ check: InternetCheck) {
        (self.network, self.check) = (network, check)
        var configuration = ConnectivityMonitor.Configuration()
        configuration.heartbeat = .init()
        let generator = Mutex(SeededGenerator(seed: 5))
        machine = ConnectivityMachine(
            configuration, canCheck: true, operators: check.endpointOperators, at: network.time.moment
        ) { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
    }

    private var moment: TimeSource.Moment { network.time.moment }

    func play(for length: Duration) async {
        handle(.started)
        handle(.path(RandomDay.home.path, nil))
        _ = network.time.call(at: length) { self.commands.continuation.finish() }
        await withDiscardingTaskGroup { group in
            for await command in commands.stream {
                group.addTask { [check] in
                    let report =
                        if let name = command.name {
                            await check.check(over: command.path, startingWith: name)
                        } else {
                            await check.check(over: command.path)
                        }
                    self.handle(.checkFinished(generation: command.generation, report, nil))
                }
            }
        }
        timer?()
        beatTimer?.cancel()
        played.silences += collector.cut(at: moment.boottime, wall: moment.realtime)
    }

    private func handle(_ input: MachineInput) {
        for action in machine.handle(input, at: moment) {
            switch action {
            case .publish(let connectivity):
                if let transition = sequence.next(connectivity, at: moment) { played.outages += transition.outages }
            case .startCheck(let generation, let path, let name):
                played.checks += 1
                commands.continuation.yield((generation, path, name))
            // Its result no longer counts.
            case .cancelCheck: break
            case .setTimer(let time):
                timer?()
                timer = time.map { network.time.call(at: $0) { self.handle(.timerFired) } }
            case .beat(let situation):
                let targets = HeartbeatTargets(.publicResolvers, nameServers: RandomDay.home.nameServers)
                if let situation, situation.state == .online {
                    collector.addCheck(from: situation.checkStart, to: moment.boottime)
                }
                perform(heartbeat.update(situation, targets, at: moment.boottime))
            }
        }
    }

    // MARK: The heartbeat

    private func perform(_ actions: [HeartbeatMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let number, let question): send(question, number)
            case .close: break
            case .observe(let observation): handle(.observed(observation))
            case .count(let observation):
                collector.add(observation)
                compare(observation)
            case .report(let outcome): handle(.reported(outcome))
            case .cover(let coverage): played.coverages.append(coverage)
            }
        }
        played.silences += collector.silences(at: moment.boottime, wall: moment.realtime)
        guard let next = heartbeat.nextTime, next != beatTimer?.time else { return }
        beatTimer?.cancel()
        beatTimer = (
            next,
            network.time.call(at: next) {
                self.beatTimer = nil
                self.perform(self.heartbeat.advance(to: self.moment.boottime))
            }
        )
    }

    /// The times at which questions beyond the router are answered.
    private var answers: [Duration: Set<Duration>] = [:]

    private func send(_ question: HeartbeatQuestion, _ number: Int) {
        guard let packet = ScriptedPacket(question) else { return }
        let fate = network.fate(of: packet, at: network.elapsed)
        let isAnswered: Bool
        switch fate.outcome {
        case .reply, .refused: isAnswered = true
        case .report(let report): isAnswered = question.hop == .router || report.type == 11
        case .accepted: isAnswered = question.means == .connection
        case .noNeighbor, .notSent: isAnswered = false
        case .silence: return
        }
        if isAnswered { answers[moment.boottime, default: []].insert(moment.boottime + fate.delay) }
        _ = network.time.call(at: network.elapsed + fate.delay) {
            self.perform(
                self.heartbeat.finish(number, isAnswered ? .answered : .missed, at: self.moment.boottime))
        }
    }

    /// Compares what is counted with what the network did.
    private func compare(_ observation: HopObservation) {
        let isAnswered = answers[observation.sent]?.contains(observation.ended) == true
        if observation.isAnswered, !isAnswered { played.miscounted.append("\(observation)") }
        answers = answers.filter { $0.key > moment.boottime - .seconds(30) }
    }
}

extension ScriptedPacket {
    /// The packet of a question; nil for an invalid name.
    fileprivate init?(_ question: HeartbeatQuestion) {
        let address = question.address
        switch question.means {
        case .echo: self.init(destination: address, port: 0, content: .echo)
        case .query:
            guard let message = question.query?.message else { return nil }
            self.init(destination: address, port: 53, content: .datagram(message[...]))
        case .datagram: self.init(destination: address, port: 33434, content: .datagram([]))
        case .expiringDatagram: self.init(destination: address, port: 33434, content: .datagram([]), hopLimit: 1)
        case .connection: self.init(destination: address, port: 443, content: .connection)
        }
    }
}
#endif
