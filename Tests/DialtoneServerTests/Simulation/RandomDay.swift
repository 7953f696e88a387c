// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import GRDB
import NetworkSimulation
import SystemSupport
import TestSupport

@testable import CommandSupport
@testable import Dialtone
@testable import DialtoneAgent
@testable import DialtoneHistory
@testable import DialtoneTesting

/// Random faults in a home, one after the other, in six hours: four of them are a day, and run at the same time.
struct RandomDay: Sendable {
    struct Fault: Sendable {
        enum Kind: CaseIterable, Sendable {
            case silentProvider, unreachable, deadRouter, silentNames
            /// The router answers in the place of every host, also those that the heartbeat asks.
            case box
            /// The kernel reports that the link is down.
            case noCarrier
            /// No outage: one host of the Internet is silent, which may be a resolver that the heartbeat asks.
            case silentHost
            /// No outage: a few packets are lost each way.
            case loss
        }

        let kind: Kind
        let start: Duration
        let end: Duration
        /// The delay of packets during five seconds after it, as over a modem that has just connected.
        let delay: Duration
        /// The place of the silent host in the chain.
        let place: Int

        var length: Duration { end - start }

        /// The sides that may be blamed.
        var sides: Set<ConnectivityFault?> {
            switch kind {
            case .silentProvider, .unreachable: [.provider, nil]
            case .deadRouter: [.router, nil]
            case .silentNames: [.nameServers, nil]
            case .box: [.provider, .endpoints, .filter, .portal, nil]
            case .noCarrier: [.machine]
            case .silentHost, .loss: []
            }
        }

        /// The length from which it must be noticed; a name server is asked every 15 s, and a router is no drop.
        var noticed: Duration {
            switch kind {
            case .silentProvider: .seconds(8)
            case .unreachable: .seconds(8)
            case .deadRouter: .seconds(14)
            case .silentNames: .seconds(45)
            case .box: .seconds(75)
            case .noCarrier: .zero
            case .silentHost, .loss: .seconds(Int.max)
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
            case .box:
                chain[.provider].passing = []
                for index in chain.hosts.indices {
                    (chain.hosts[index].behavior, chain.hosts[index].nameService) = (.refusing, nil)
                }
            case .noCarrier:
                chain.path = SimulatedPath.offline(.noCarrier).path
                chain[.machine].passing = [.drops]
            case .silentHost:
                chain[.provider].passing.append(.drops.towards(chain.hosts[place].addresses))
            case .loss: chain[.provider].passing.append(.loses(0.02))
            }
            return chain
        }
    }

    let seed: UInt64
    let length: Duration
    let faults: [Fault]

    static let home = NetworkChain.home

    /// The places of the hosts that may be silent, which are all but the first resolver: the router asks it for names.
    private static let places = home.hosts.indices.filter {
        !home.hosts[$0].addresses.contains([NetworkAddress].publicResolvers[0])
    }

    init(seed: UInt64, length: Duration = .seconds(21_600)) {
        var random = SeededGenerator(seed: seed)
        func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func pick<Value>(_ values: [Value]) -> Value { values[number(in: 0...values.count - 1)] }
        var faults: [Fault] = []
        var time = Duration.seconds(number(in: 100...900))
        while time < length - .seconds(1000) {
            let seconds = pick([1...8, 5...15, 8...20, 15...120, 60...600])
            let duration = Duration.milliseconds(
                number(in: seconds.lowerBound * 1000...seconds.upperBound * 1000))
            faults.append(
                Fault(
                    kind: pick(Fault.Kind.allCases), start: time, end: time + duration,
                    delay: pick([.zero, .milliseconds(1200)]), place: pick(Self.places)))
            time += duration + .milliseconds(number(in: 130_000...1_500_000))
        }
        (self.seed, self.length, self.faults) = (seed, length, faults)
    }

    /// Lets an agent with the defaults of `dialtone serve` live through the day.
    func play() async throws -> PlayedDay {
        let network = ScriptedNetwork(Self.home, seed: seed)
        for fault in faults {
            network.play(fault.chain, after: fault.start)
            var slowHome = Self.home
            if fault.delay > .zero { slowHome[.provider].passing = [.delays(fault.delay)] }
            network.play(slowHome, after: fault.end)
            network.play(Self.home, after: fault.end + .seconds(5))
        }
        let player = try DayPlayer(network, faults)
        await network.run { await player.play(for: length) }
        return try await player.recorded(until: Self.start + length / .seconds(1))
    }

    /// When it begins, by the wall clock of a network in memory.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
}

/// The records of a day.
struct PlayedDay: Sendable {
    /// The history.
    var timeline = Timeline(from: .distantPast, to: .distantPast, transitions: [])
    var hops: [HopPeriod] = []
    /// The minutes that the heartbeat counted.
    var minutes: [HopMinute] = []
    var transitions: [Transition] = []
    /// The runs of hooks, which are recorded instead.
    var hooks: [HookRun] = []
    var counters = MetricsCounters(at: 0)
    var coverages: [HeartbeatCoverage] = []
    /// The number of checks.
    var checks = 0
    /// The packets that the heartbeat counted otherwise than the network.
    var miscounted: [String] = []
}

/// A monitor, its heartbeat, and the agent that records, over a network in memory and in virtual time.
///
/// `@unchecked Sendable`: everything happens on the thread of the network's work.
private final class DayPlayer: @unchecked Sendable {
    private let network: ScriptedNetwork
    private let faults: [RandomDay.Fault]
    private let history: HistoryStore
    private let check: RecordedCheck
    private let agent: Agent
    private let received: Received
    private var machine: ConnectivityMachine
    private var heartbeat = HeartbeatMachine(.init())
    private var collector = SilenceCollector()
    private var minutes = HopMinute.Collector()
    private var sequence = TransitionSequence()
    private var played = PlayedDay()
    private var timer: TimeSource.Cancellation?
    private var beatTimer: (time: Duration, cancel: TimeSource.Cancellation)?
    private let commands = AsyncStream.makeStream(of: (generation: UInt64, path: NetworkPath, name: String?).self)

    /// What the agent passes on.
    private final class Received: Sendable {
        let values = Mutex((transitions: [Transition](), hooks: [HookRun](), queue: HookQueue()))

        func receive(_ transition: Transition) {
            values.withLock { values in
                values.transitions.append(transition)
                guard values.queue.append(transition) else { return }
                while let run = values.queue.next() { values.hooks.append(run) }
            }
        }
    }

    init(_ network: ScriptedNetwork, _ faults: [RandomDay.Fault]) throws {
        self.network = network
        self.faults = faults
        let time = network.time
        var records = HistoryConfiguration()
        records.clock = {
            let moment = time.moment
            return ClockReading(
                wall: moment.realtime, boottime: moment.boottime / .seconds(1),
                monotonic: moment.monotonic / .seconds(1), boot: "")
        }
        let received = Received()
        self.received = received
        history = try Self.historyInMemory(records)
        let internet = try InternetCheck(over: network.transport)
        check = RecordedCheck(internet, in: history, time: time)
        // The agent's own monitor is not started: the machine of this one drives it.
        agent = try Agent(
            AgentConfiguration(machineName: "day"), monitor: ConnectivityMonitor(simulating: SimulatedNetwork(.wired)),
            history: history, checks: check, time: time)
        var configuration = ConnectivityMonitor.Configuration()
        configuration.heartbeat = .init()
        let generator = Mutex(SeededGenerator(seed: 5))
        machine = ConnectivityMachine(
            configuration, canCheck: true, operators: internet.endpointOperators, at: time.moment
        ) { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
    }

    /// A history without a file.
    private static func historyInMemory(_ configuration: HistoryConfiguration) throws -> HistoryStore {
        let database = try HistoryDatabase(DatabaseQueue())
        let opening = DatabaseOpening(
            database: database, reader: database.writer, last: .init(transition: 0, check: 0, host: 0))
        let history = HistoryStore(at: URL(filePath: "/dev/null"), configuration: configuration)
        history.state.withLock { $0.adopt(opening) }
        return history
    }

    /// What was recorded, after the day.
    func recorded(until end: Date) async throws -> PlayedDay {
        await history.flush()
        played.timeline = try await history.timeline(from: RandomDay.start, to: end)
        played.hops = try await history.hops(from: RandomDay.start, to: end, limit: .max)
        (played.transitions, played.hooks) = received.values.withLock { ($0.transitions, $0.hooks) }
        played.counters = agent.recorder.counts.counters
        return played
    }

    private var moment: TimeSource.Moment { network.time.moment }

    func play(for length: Duration) async {
        handle(.started)
        handle(.path(RandomDay.home.path, nil))
        _ = network.time.call(at: length) { self.commands.continuation.finish() }
        for fault in faults where fault.kind == .noCarrier {
            _ = network.time.call(at: fault.start) { self.handle(.path(fault.chain.path, nil)) }
            _ = network.time.call(at: fault.end) { self.handle(.path(RandomDay.home.path, nil)) }
        }
        keepHistory()
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
        for silence in collector.cut(at: moment.boottime, wall: moment.realtime) { agent.receive(silence) }
    }

    /// Lets the history note that the process runs, as the agent does every ten seconds.
    private func keepHistory() {
        history.tick()
        _ = network.time.call(at: network.elapsed + .seconds(10)) { self.keepHistory() }
    }

    private func handle(_ input: MachineInput) {
        for action in machine.handle(input, at: moment) {
            switch action {
            case .publish(let connectivity):
                agent.receive(
                    connectivity, sequence.next(connectivity, at: moment), AgentView(transition: received.receive))
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
                for minute in minutes.add(observation, at: moment.realtime) {
                    played.minutes.append(minute)
                    history.record(minute)
                }
                compare(observation)
            case .report(let outcome): handle(.reported(outcome))
            case .cover(let coverage):
                played.coverages.append(coverage)
            }
        }
        for silence in collector.silences(at: moment.boottime, wall: moment.realtime) { agent.receive(silence) }
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

    /// The times at which questions are answered, by the time at which they were sent.
    private var answers: [Duration: [(hop: HeartbeatHop, address: NetworkAddress, at: Duration)]] = [:]

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
        if isAnswered {
            answers[moment.boottime, default: []].append((question.hop, question.address, moment.boottime + fate.delay))
        }
        _ = network.time.call(at: network.elapsed + fate.delay) {
            self.perform(
                self.heartbeat.finish(number, isAnswered ? .answered : .missed, at: self.moment.boottime))
        }
    }

    /// Compares what is counted with what the network did.
    private func compare(_ observation: HopObservation) {
        let answer = answers[observation.sent]?.first { $0.hop == observation.hop && $0.address == observation.address }
        // A packet by a means that was not proven is given up at once: its answer may come later.
        let isRight =
            observation.isAnswered ? answer?.at == observation.ended : answer.map { $0.at > observation.ended }
        if isRight == false {
            played.miscounted.append("\(observation): \(answer.map { "\($0.at)" } ?? "no answer")")
        }
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
