// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport

@testable import Dialtone

/// A heartbeat on virtual time, in a network that a test describes.
struct HeartbeatRig {
    /// The reaction to a question.
    enum Reply: Equatable {
        case answer(after: Duration = .milliseconds(20))
        /// A router reports that the packet did not arrive.
        case report
        case silence
        case notSent
    }

    private(set) var machine: HeartbeatMachine
    private(set) var now = Duration.zero
    private(set) var situation: HeartbeatSituation
    private let targets: HeartbeatTargets
    /// The network.
    var reply: (HeartbeatQuestion) -> Reply
    /// Every question, and when it was sent.
    private(set) var questions: [(time: Duration, question: HeartbeatQuestion)] = []
    private(set) var observations: [HopObservation] = []
    /// The observations that the statistics count.
    private(set) var counted: [HopObservation] = []
    private(set) var reports: [(time: Duration, outcome: ConnectivityMonitor.ReportedOutcome)] = []
    private(set) var silences: [Silence] = []
    private var collector = SilenceCollector()
    private(set) var coverages: [HeartbeatCoverage] = []
    private var network: Int?
    /// The number of questions and answers on the wire.
    private(set) var packets = 0
    private var replies: [(due: Duration, number: Int, outcome: HeartbeatMachine.Outcome)] = []

    static let router = NetworkAddress(192, 0, 2, 1)
    static let operators = [NetworkAddress(1, 1, 1, 1), NetworkAddress(8, 8, 8, 8), NetworkAddress(9, 9, 9, 9)]

    /// The wall clock at the beginning.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    init(
        beating heartbeat: ConnectivityMonitor.Heartbeat = .init(), over path: NetworkPath = .home,
        asking nameServers: [NetworkAddress] = [Self.router],
        and addresses: [NetworkAddress] = Self.operators, reaching reached: [NetworkAddress] = [],
        _ reply: @escaping (HeartbeatQuestion) -> Reply = HeartbeatRig.home()
    ) {
        machine = HeartbeatMachine(heartbeat)
        targets = HeartbeatTargets(addresses, nameServers: nameServers)
        situation = HeartbeatSituation(
            network: 1, path: path, checkStart: .zero, state: .online, resolvedName: "check.test", reached: reached)
        self.reply = reply
    }

    /// A network whose router and name server answer, and beyond which some means are answered.
    static func home(
        _ means: Set<HeartbeatQuestion.Means> = [.echo, .query, .datagram, .connection]
    ) -> (HeartbeatQuestion) -> Reply {
        { question in
            guard question.hop == .beyond else { return .answer(after: .milliseconds(1)) }
            return means.contains(question.means) && operators.contains(question.address) ? .answer() : .silence
        }
    }

    /// A network in which everything beyond the router is silent.
    static func silentBeyond(_ question: HeartbeatQuestion) -> Reply {
        question.hop == .beyond ? .silence : .answer(after: .milliseconds(1))
    }

    /// A check that began at a time, by default now, has the result that this state follows.
    mutating func check(_ state: ConnectivityState, startedAt start: Duration? = nil) {
        situation.checkStart = start ?? now
        situation.state = state
        update(situation)
    }

    mutating func moveToAnotherNetwork(_ state: ConnectivityState = .online) {
        situation.network += 1
        check(state)
    }

    mutating func update(_ new: HeartbeatSituation?) {
        if new?.network != network { silences += collector.cut(at: now, wall: wall) }
        network = new?.network
        if let new, new.state == .online { collector.addCheck(from: new.checkStart, to: now) }
        perform(machine.update(new, targets, at: now))
    }

    private var wall: Date { Self.start + now / .seconds(1) }

    /// The bounds of a silence, in seconds: its start at the earliest and at the latest, and its end.
    static func bounds(_ silence: Silence) -> [Double?] {
        [silence.earliestStart, silence.start, silence.earliestEnd, silence.end].map {
            $0.map { ($0.timeIntervalSince(start) * 1000).rounded() / 1000 }
        }
    }

    /// Lets time pass, with a check that passes every minute unless that is turned off.
    mutating func run(_ duration: Duration, checking isChecking: Bool = false) {
        let end = now + duration
        var nextCheck = now + .seconds(60)
        while true {
            let times = [machine.nextTime, replies.map(\.due).min(), isChecking ? nextCheck : nil].compactMap(\.self)
            guard let next = times.min(), next <= end else { break }
            now = max(now, next)
            if let place = replies.firstIndex(where: { $0.due <= now }) {
                let reply = replies.remove(at: place)
                perform(machine.finish(reply.number, reply.outcome, at: now))
            } else if isChecking, nextCheck <= now {
                nextCheck = now + .seconds(60)
                check(.online)
            } else {
                perform(machine.advance(to: now))
            }
            silences += collector.silences(at: now, wall: wall)
        }
        now = end
    }

    private mutating func perform(_ actions: [HeartbeatMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let number, let question):
                let reply = reply(question)
                questions.append((now, question))
                if reply != .notSent { packets += 1 }
                switch reply {
                case .answer(let delay):
                    packets += 1
                    replies.append((now + delay, number, .answered))
                case .report:
                    packets += 1
                    replies.append((now, number, .missed))
                case .silence: break
                case .notSent: replies.append((now, number, .notSent))
                }
            case .close(let number): replies.removeAll { $0.number == number }
            case .observe(let observation): observations.append(observation)
            case .count(let observation):
                counted.append(observation)
                collector.add(observation)
            case .cover(let coverage): coverages.append(coverage)
            case .report(let outcome): reports.append((now, outcome))
            }
        }
    }

    /// The questions from a time on, without those that are sent to learn.
    func beats(to hop: HeartbeatHop, since start: Duration) -> [(time: Duration, question: HeartbeatQuestion)] {
        questions.filter { $0.time >= start && $0.question.hop == hop }
    }
}

extension NetworkPath {
    /// A path through a router, over IPv4.
    static let home = NetworkPath(
        status: .satisfied, interfaces: [.init(name: "eth0", index: 2, type: .wiredEthernet)],
        usedInterfaceTypes: [.wiredEthernet], supportsIPv4: true, supportsDNS: true,
        gateways: [.init(HeartbeatRig.router, interface: "eth0")])
}
