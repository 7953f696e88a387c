// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// When a check queries, asks and ends, and what it reports: in virtual time, without tasks.
struct CheckMachineTests {
    private typealias Outcome = InternetCheck.Evidence.Outcome
    private typealias Event = CheckMachine.Event

    private static let timedOut = Outcome.failed(ProbeError(.timedOut, during: .tls))
    private static let refused = Outcome.failed(ProbeError(.refused, during: .connect))
    private static let resolver = NetworkAddress(9, 9, 9, 9)
    private static let server = NetworkAddress(192, 0, 2, 1)

    /// Operators with two endpoints each: an even number is over HTTP, the odd one after it over HTTPS.
    private static func plan(
        operators: Int = 2, _ change: (inout CheckMachine.Plan) -> Void = { _ in }
    ) -> CheckMachine.Plan {
        var plan = CheckMachine.Plan(
            endpoints: (0..<operators * 2).map { index in
                let (isSecure, name) = (index % 2 == 1, "operator\(index / 2).example")
                return .init(
                    url: "\(isSecure ? "https" : "http")://\(name)/", port: isSecure ? 443 : 80,
                    subject: .init(isSecure: isSecure, operatorName: name))
            })
        change(&plan)
        return plan
    }

    private static func evidence(_ index: Int, _ outcome: Outcome) -> InternetCheck.Evidence {
        InternetCheck.Evidence(url: "\(index)", outcome)
    }

    private static func answer(_ index: Int, _ outcome: Outcome) -> Event { .answered(index, evidence(index, outcome)) }

    private static func report(_ machine: CheckMachine, after duration: Duration) -> InternetCheck.Report {
        machine.report(checkedAt: Date(timeIntervalSince1970: 0), after: duration)
    }

    /// The actions that follow from events at a time.
    private static func commands(
        _ machine: inout CheckMachine, _ events: [Event] = [], at time: Duration
    ) -> [CheckMachine.Command] {
        for event in events { machine.record(event, at: time) }
        return machine.commands(at: time)
    }

    // MARK: - The course of a check

    @Test func `a check that passes queries each endpoint once, and asks nothing`() {
        var machine = CheckMachine(Self.plan { $0.queriesCaptivePortalAPI = true })
        let first = Self.commands(&machine, at: .zero)
        #expect(first == (0..<4).map { .query($0) } + [.queryCaptivePortalAPI, .setAlarm(.seconds(1))])
        #expect(Self.commands(&machine, [Self.answer(0, .passed)], at: .milliseconds(40)).isEmpty)
        // The API might still contradict them.
        let passes = [1, 2, 3].map { Self.answer($0, .passed) }
        #expect(Self.commands(&machine, passes, at: .milliseconds(50)) == [.setAlarm(.milliseconds(300))])
        #expect(!machine.isOver)
        #expect(Self.commands(&machine, [.captivePortal(nil)], at: .milliseconds(60)).isEmpty)
        #expect(machine.isOver)
        let report = Self.report(machine, after: .milliseconds(61))
        #expect(report.verdict == .verified && report.hops == nil && report.duration == .milliseconds(61))
        #expect(report.endpoints.map(\.url) == ["0", "1", "2", "3"])
    }

    struct Doubt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var policy = HopPolicy.ifNeeded
        /// The outcome of each endpoint, and when it answers.
        var answers: [(at: Int, outcome: InternetCheck.Evidence.Outcome)] = []
        /// When hops of each kind are asked, in milliseconds.
        let asked: [HopCollection.Kind: Int]

        static let all: [Doubt] = [
            Doubt(testDescription: "silence", asked: [.routers: 1000, .nameServers: 1000, .publicAddresses: 1000]),
            Doubt(
                testDescription: "a failure", answers: [(20, refused)],
                asked: [.routers: 120, .nameServers: 120, .publicAddresses: 120]),
            Doubt(
                testDescription: "a failure that the others outweigh soon",
                answers: [(20, refused), (60, .passed), (60, .passed), (60, .passed)], asked: [:]),
            Doubt(
                testDescription: "only failures",
                answers: [(20, refused), (60, refused), (60, refused), (60, refused)],
                asked: [.routers: 60, .nameServers: 60, .publicAddresses: 60]),
            Doubt(
                testDescription: "passes", answers: [(20, .passed), (60, .passed), (60, .passed), (60, .passed)],
                asked: [:]),
            Doubt(testDescription: "silence of one operator", policy: .never, asked: [:]),
            Doubt(
                testDescription: "a diagnosis", policy: .always,
                asked: [.routers: 0, .nameServers: 0, .publicAddresses: 1000]),
        ]
    }

    @Test(arguments: Doubt.all) func `hops are asked when the check may not pass, and not before`(row: Doubt) {
        let plan = Self.plan { $0.policy = row.policy }
        var asked: [HopCollection.Kind: Int] = [:]
        var course = Course(plan)
        course.answer = {
            row.answers.indices.contains($0) ? (.milliseconds(row.answers[$0].at), row.answers[$0].outcome) : nil
        }
        course.onCommand = { command, now in
            if case .ask(let kind) = command { asked[kind] = Int(now / .milliseconds(1)) }
        }
        course.run()
        #expect(asked == row.asked)
    }

    @Test func `an answer that arrives late after silence counts`() {
        var machine = CheckMachine(Self.plan())
        _ = Self.commands(&machine, at: .zero)
        #expect(
            Self.commands(&machine, [.alarm], at: .seconds(1)).prefix(3) == [
                .ask(.routers), .ask(.nameServers), .ask(.publicAddresses),
            ])
        _ = Self.commands(&machine, (0..<4).map { Self.answer($0, .passed) }, at: .milliseconds(2500))
        #expect(machine.isOver)
        let report = Self.report(machine, after: .milliseconds(2500))
        #expect(report.verdict == .verified && report.endpoints.allSatisfy(\.passed) && report.hops != nil)
    }

    @Test func `an event that is reported after a later one happened with it`() {
        var machine = CheckMachine(Self.plan())
        #expect(Self.commands(&machine, at: .seconds(1)).last == .setAlarm(.milliseconds(1300)))
        machine.record(Self.answer(0, .passed), at: .milliseconds(900))
        #expect(machine.now == .seconds(1))
        #expect(Self.commands(&machine, [Self.answer(1, .passed)], at: .milliseconds(950)).isEmpty)
        // The quorum was reached after one second, and waits as long for a portal.
        #expect(Self.commands(&machine, [.alarm], at: .milliseconds(1300)) == [.setAlarm(.seconds(2))])
    }

    @Test func `a check of one operator waits a second for the endpoint that tries the other IP version`() {
        var machine = CheckMachine(
            Self.plan {
                ($0.policy, $0.reversedEndpoints) = (.never, [0])
            })
        _ = Self.commands(&machine, at: .zero)
        let passes = [1, 2, 3].map { Self.answer($0, .passed) }
        #expect(Self.commands(&machine, passes, at: .milliseconds(20)) == [.setAlarm(.milliseconds(270))])
        #expect(Self.commands(&machine, [.alarm], at: .milliseconds(270)) == [.setAlarm(.seconds(1))])
        #expect(Self.commands(&machine, [.alarm], at: .seconds(1)).isEmpty && machine.isOver)
    }

    @Test
    func `a full check awaits each operator's HTTPS, and both requests over the other IP version, for two seconds`() {
        let end = { (open: Int, isFull: Bool) in
            var course = Course(
                Self.plan(operators: 4) { ($0.isFull, $0.reversedEndpoints) = (isFull, isFull ? [0, 1] : [0]) })
            course.answer = { $0 == open ? nil : (.milliseconds(20), .passed) }
            course.run()
            #expect(course.report.verdict == .verified)
            return course.report.duration
        }
        // Another silent endpoint over HTTP might only dissent.
        #expect([0, 1, 2, 7].map { end($0, true) } == [.seconds(2), .seconds(2), .milliseconds(270), .seconds(2)])
        #expect([0, 7].map { end($0, false) } == [.seconds(1), .milliseconds(1020)])
    }

    @Test func `a full check over a healthy network ends with its last answer over HTTPS`() {
        var course = Course(Self.plan(operators: 4) { ($0.isFull, $0.reversedEndpoints) = (true, [0, 1]) })
        course.answer = { (.milliseconds($0 == 7 ? 900 : 20), .passed) }
        course.onCommand = { command, _ in
            if case .query = command { return }
            #expect(command == .setAlarm(.seconds(1)))
        }
        course.run()
        #expect(course.report.duration == .milliseconds(900))
    }

    @Test func `the HTTPS of further operators is queried after that of the first, or in time`() {
        let start = { (events: [(at: Int, event: Event)]) -> Duration? in
            var machine = CheckMachine(
                Self.plan(operators: 4) {
                    ($0.isFull, $0.reversedEndpoints, $0.deferredEndpoints) = (true, [0, 1], [5, 7])
                })
            #expect(Self.commands(&machine, at: .zero).filter(\.isQuery) == [0, 1, 2, 3, 4, 6].map { .query($0) })
            for time in stride(from: 0, through: 3000, by: 10) {
                let due = events.filter { $0.at == time }.map(\.event)
                let commands = Self.commands(&machine, due, at: .milliseconds(time)).filter(\.isQuery)
                if commands.isEmpty { continue }
                #expect(commands == [.query(5), .query(7)])
                return .milliseconds(time)
            }
            return nil
        }
        let page = { (index: Int, milliseconds: Int) in
            var evidence = Self.evidence(index, .passed)
            (evidence.status, evidence.durations.total) = (204, .milliseconds(milliseconds))
            return (at: milliseconds, event: Event.answered(index, evidence))
        }
        let handshake = (at: 900, event: Event.handshake(1, Self.server))
        #expect(start([page(1, 60)]) == .milliseconds(60))
        #expect(start([(at: 60, event: Self.answer(3, Self.timedOut))]) == .milliseconds(60))
        // A filter of HTTPS, and a network that is dead.
        #expect(start([page(0, 60), handshake]) == .milliseconds(900))
        #expect(start([]) == .milliseconds(900))
        // A slow line.
        #expect(start([page(0, 800), handshake]) == .seconds(2))
        #expect(start([page(0, 800), handshake, page(1, 1800)]) == .milliseconds(1800))
    }

    @Test func `a deferred query that was not open for two seconds is not silent`() {
        let code = { (end: Int) in
            var machine = CheckMachine(
                Self.plan(operators: 4) { ($0.isFull, $0.deferredEndpoints) = (true, [5, 7]) })
            _ = Self.commands(&machine, at: .zero)
            _ = Self.commands(&machine, [0, 1, 2, 3, 4, 6].map { Self.answer($0, .passed) }, at: .milliseconds(1500))
            _ = Self.commands(&machine, [.alarm], at: .milliseconds(end))
            #expect(machine.isOver)
            machine.record(Self.answer(5, .failed(ProbeError(.cancelled, during: .tls))), at: .milliseconds(end))
            return Self.report(machine, after: .milliseconds(end)).endpoints[5].error?.code
        }
        #expect(code(3490) == .abandoned && code(3500) == .timedOut)
    }

    // MARK: - Probes

    @Test func `large packets are tested with the handshake that stalls while HTTP passes`() {
        let isTested = { (outcomes: [Int: Outcome]) in
            var machine = CheckMachine(Self.plan())
            _ = Self.commands(&machine, at: .zero)
            let answers = outcomes.map { Self.answer($0, $1) }
            _ = Self.commands(&machine, answers, at: .milliseconds(300))
            #expect(!machine.needsHandshakes(at: .milliseconds(300)))
            #expect(machine.needsHandshakes(at: .seconds(1)))
            let commands = Self.commands(&machine, [.handshake(3, Self.server), .alarm], at: .seconds(1))
            #expect(
                Self.commands(&machine, [.alarm], at: .milliseconds(1300)).allSatisfy {
                    if case .probe = $0 { false } else { true }
                })
            return commands.contains(.probe(.largePackets(3, Self.server)))
        }
        #expect(isTested([0: .passed]))
        #expect(!isTested([:]))
        #expect(!isTested([1: .passed]))
        #expect(!isTested([0: Self.refused]))
    }

    @Test func `large packets are tested by the IP version by which no HTTPS passes`() {
        let isTested = { (passing: NetworkAddress) in
            var machine = CheckMachine(Self.plan(operators: 3))
            _ = Self.commands(&machine, at: .zero)
            let secure = [5, 1].map { index in
                var evidence = Self.evidence(index, .passed)
                evidence.address = passing
                return CheckMachine.Event.answered(index, evidence)
            }
            let answers = [0, 2, 4].map { Self.answer($0, .passed) } + secure
            _ = Self.commands(&machine, answers, at: .milliseconds(300))
            let commands = Self.commands(&machine, [.handshake(3, Self.server), .alarm], at: .seconds(1))
            return commands.contains(.probe(.largePackets(3, Self.server)))
        }
        #expect(isTested("2001:db8::1"))
        #expect(!isTested(Self.server))
    }

    @Test func `a login page that one operator shows by an IP version is compared with that of a second one`() {
        let page = { (families: [IPVersion], other: NetworkAddress) in
            var machine = CheckMachine(
                Self.plan {
                    ($0.families, $0.reversedEndpoints) = (families, [0])
                })
            _ = Self.commands(&machine, at: .zero)
            var dissent = Self.evidence(0, .portal(URL(filePath: "/login")))
            dissent.address = Self.server
            var witness = Self.evidence(2, .passed)
            (witness.address, witness.status) = (other, 204)
            return Self.commands(&machine, [.answered(0, dissent), .answered(2, witness)], at: .milliseconds(20))
                .contains(.probe(.page(2)))
        }
        #expect(page([.ipv4, .ipv6], "2001:db8::1"))
        #expect(!page([.ipv4, .ipv6], Self.server))
        #expect(!page([.ipv6], "2001:db8::1"))
    }

    @Test func `large packets of an IP version are tested whose handshake stalls while the other one's pass`() {
        let isTested = { (address: NetworkAddress) in
            var machine = CheckMachine(Self.plan { ($0.isFull, $0.reversedEndpoints) = (true, [0, 1]) })
            _ = Self.commands(&machine, at: .zero)
            var passed = Self.evidence(3, .passed)
            passed.address = Self.server
            let answers = [0, 2].map { Self.answer($0, .passed) } + [.answered(3, passed)]
            #expect(
                Self.commands(&machine, answers, at: .milliseconds(300)).allSatisfy { $0 == .setAlarm(.seconds(1)) })
            let commands = Self.commands(&machine, [.handshake(1, address), .alarm], at: .seconds(1))
            guard commands.contains(.probe(.largePackets(1, address))) else { return false }
            _ = Self.commands(&machine, [.alarm], at: .seconds(2))
            #expect(!machine.isOver)
            _ = Self.commands(&machine, [.hops(.largePackets(.lost))], at: .seconds(5))
            #expect(machine.isOver && machine.hops.largePackets == .lost)
            return true
        }
        #expect(isTested("2001:db8::1"))
        #expect(!isTested(NetworkAddress(192, 0, 2, 9)))
    }

    @Test func `the loss is measured with an address that answers while endpoints are silent`() {
        var machine = CheckMachine(Self.plan())
        _ = Self.commands(&machine, at: .zero)
        _ = Self.commands(&machine, [.alarm], at: .seconds(1))
        let inquiry = Event.inquiry(.publicAddresses, [Self.resolver])
        #expect(Self.commands(&machine, [inquiry], at: .seconds(1)).isEmpty)
        let answer = InternetCheck.AddressAnswer(Self.resolver, .answers, after: .milliseconds(30))
        _ = Self.commands(&machine, [.hops(.publicAddresses([answer]))], at: .milliseconds(1030))
        let measurement = CheckMachine.Command.probe(.loss(Self.resolver, 443))
        #expect(Self.commands(&machine, [.alarm], at: .milliseconds(1300)) == [measurement])
        #expect(Self.commands(&machine, [.alarm], at: .milliseconds(1400)).isEmpty)
        #expect(machine.hops.publicAddresses == [answer])
    }

    @Test func `an IP version that lost the race is tried on its own`() {
        let lost: NetworkAddress = "2001:db8::1"
        let attempt = { (families: [IPVersion]) in
            var machine = CheckMachine(Self.plan { $0.families = families })
            _ = Self.commands(&machine, at: .zero)
            var evidence = Self.evidence(0, .passed)
            evidence.address = Self.server
            evidence.failedAttempts = [.init(lost, after: .milliseconds(300))]
            let commands = Self.commands(&machine, [.answered(0, evidence)], at: .milliseconds(300))
            #expect(
                Self.commands(&machine, [1, 3].map { Self.answer($0, .passed) }, at: .milliseconds(301)) == [
                    .setAlarm(.milliseconds(602))
                ])
            return commands
        }
        #expect(attempt([.ipv4, .ipv6]) == [.probe(.family(.ipv6, [lost]))])
        #expect(attempt([.ipv4]).isEmpty)
    }

    // MARK: - What did not answer

    @Test func `an endpoint without an answer was not needed, was silent, or was cancelled`() {
        let code = { (duration: Duration, isCancelled: Bool) in
            var machine = CheckMachine(Self.plan())
            _ = Self.commands(&machine, at: .zero)
            _ = Self.commands(&machine, [0, 1, 3].map { Self.answer($0, .passed) }, at: .milliseconds(20))
            if isCancelled { machine.record(.cancelled, at: .milliseconds(30)) }
            _ = Self.commands(&machine, [.alarm], at: .milliseconds(270))
            #expect(machine.isOver)
            machine.record(Self.answer(2, .failed(ProbeError(.cancelled, during: .headers, "so far"))), at: duration)
            let report = Self.report(machine, after: duration)
            #expect(report.verdict == (isCancelled && duration < .milliseconds(270) ? .inconclusive : .verified))
            return report.endpoints[2].error
        }
        #expect(code(.milliseconds(270), false) == ProbeError(.abandoned, during: .judge))
        #expect(code(.seconds(2), false) == ProbeError(.timedOut, during: .headers, "so far"))
        #expect(code(.milliseconds(100), true) == ProbeError(.cancelled, during: .judge))
        #expect(code(.seconds(2), true) == ProbeError(.cancelled, during: .judge))
    }

    @Test func `a query that was cut off by cancellation is no evidence, and others are`() {
        var machine = CheckMachine(Self.plan())
        _ = Self.commands(&machine, at: .zero)
        machine.record(.cancelled, at: .milliseconds(10))
        machine.record(Self.answer(0, .failed(ProbeError(.cancelled, during: .tls))), at: .milliseconds(10))
        machine.record(Self.answer(1, Self.refused), at: .milliseconds(10))
        #expect(machine.commands(at: .milliseconds(10)).isEmpty && machine.isOver)
        let report = Self.report(machine, after: .milliseconds(10))
        #expect(report.verdict == .inconclusive)
        let cancelled = ProbeError(.cancelled, during: .judge)
        let refused = ProbeError(.refused, during: .connect)
        #expect(report.endpoints.map(\.error) == [cancelled, refused, cancelled, cancelled])
    }

    // MARK: - Any course

    @Test(arguments: 0..<1000) func `any course of events ends by the limit, and nothing follows`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var course = Course(random: &random)
        course.run(disturbedBy: &random)
    }

    @Test(arguments: 0..<300) func `the order of events that happen at the same time does not matter`(seed: UInt64) {
        let reports = ([1, 2, 3] as [UInt64]).map { order in
            var random = SeededGenerator(seed: seed)
            var course = Course(random: &random)
            var shuffle = SeededGenerator(seed: order)
            course.run { $0.shuffled(using: &shuffle) }
            return course.report
        }
        #expect(reports[0] == reports[1] && reports[0] == reports[2])
    }

    /// A check whose commands are performed in virtual time.
    private struct Course {
        let limit: Duration
        var machine: CheckMachine
        /// When an endpoint answers and how; nil if it does not by the limit.
        var answer: (Int) -> (at: Duration, outcome: Outcome)? = { _ in nil }
        /// How long a part of the hops takes, and what it is; nil if the kind cannot be asked.
        var part: (HopCollection.Kind) -> (after: Duration, part: HopCollection.Answers)? = { _ in nil }
        var api: (at: Duration, evidence: InternetCheck.Report.CaptivePortalEvidence?) = (.zero, nil)
        var onCommand: (CheckMachine.Command, Duration) -> Void = { _, _ in }
        private var pending: [(time: Duration, event: Event)] = []

        init(_ plan: CheckMachine.Plan) {
            limit = plan.limit
            machine = CheckMachine(plan)
        }

        /// A random check over a random network.
        ///
        /// Times are multiples of 50 ms, so that some events happen at the same time.
        init(random: inout SeededGenerator) {
            func time(to limit: Duration) -> Duration {
                .milliseconds(50 * Int.random(in: 0...Int(limit / .milliseconds(50)), using: &random))
            }
            let operators = Int.random(in: 0...4, using: &random)
            let limit = Duration.milliseconds(50 * Int.random(in: 1...200, using: &random))
            self.init(
                CheckMachineTests.plan(operators: operators) { plan in
                    plan.quorum = [.percent(50), .percent(100), .count(1)].randomElement(using: &random) ?? .count(1)
                    plan.policy = [.never, .ifNeeded, .always].randomElement(using: &random) ?? .never
                    plan.queriesCaptivePortalAPI = Bool.random(using: &random)
                    plan.reversedEndpoints = operators > 0 && Bool.random(using: &random) ? [0, 1] : []
                    plan.isFull = Bool.random(using: &random)
                    plan.families = Bool.random(using: &random) ? IPVersion.allCases : []
                    plan.limit = limit
                })
            // Most networks are of one kind.
            let outcomes = [
                Outcome.passed, refused, timedOut, .portal(URL(filePath: "/portal")),
                .failed(ProbeError(.nameServerFailure, during: .resolve)),
                .failed(ProbeError(.tlsUnavailable, during: .tls)),
            ]
            let usual = outcomes.randomElement(using: &random) ?? .passed
            let latest = min(limit, [.milliseconds(300), .seconds(3), limit].randomElement(using: &random) ?? limit)
            let answers = (0..<operators * 2).map { _ in
                let isUsual = Int.random(in: 0..<4, using: &random) > 0
                return (time(to: latest), isUsual ? usual : outcomes.randomElement(using: &random) ?? usual)
            }
            answer = { answers[$0] }
            let outcome =
                [InternetCheck.AddressAnswer.Outcome.answers, .silent].randomElement(using: &random) ?? .silent
            let server = InternetCheck.NameServerAnswer(
                CheckMachineTests.server, Bool.random(using: &random) ? .answers : .silent, isNearby: false)
            let address = InternetCheck.AddressAnswer(resolver, outcome, after: .milliseconds(50))
            let parts: [HopCollection.Kind: (Duration, HopCollection.Answers)?] = [
                .routers: (time(to: .seconds(3)), .routers([])),
                .nameServers: (time(to: .seconds(3)), .nameServers([server])),
                .publicAddresses: Int.random(in: 0..<4, using: &random) == 0
                    ? nil : (time(to: .seconds(5)), .publicAddresses([address])),
                .largePackets: (time(to: .seconds(4)), .largePackets(.lost)),
                .loss: (time(to: .seconds(3)), .loss(.init(isMute: Bool.random(using: &random)))),
                .family: (time(to: .seconds(1)), .family([address])),
                .certificate: (time(to: .seconds(1)), .certificate(isForeign: Bool.random(using: &random))),
                .page: (time(to: .seconds(1)), .page(.init(url: "http://two.test/", usual))),
            ]
            part = { parts[$0] ?? nil }
            let isCaptive = Bool.random(using: &random)
            api = (time(to: limit), isCaptive ? .init(url: "https://portal.example/") : nil)
        }

        var report: InternetCheck.Report { CheckMachineTests.report(machine, after: machine.now) }

        /// Plays the check, with the events of each time in the given order.
        mutating func run(_ order: ([Event]) -> [Event] = { $0 }) {
            perform(machine.commands(at: .zero))
            while !machine.isOver, let time = pending.map(\.time).min() {
                let events = pending.filter { $0.time == time }.map(\.event)
                pending.removeAll { $0.time == time }
                for event in order(events) { machine.record(event, at: time) }
                follow(events, at: time)
                perform(machine.commands(at: time))
            }
            #expect(machine.isOver && machine.now <= limit)
        }

        /// Plays the check with events that no performer of its commands causes.
        mutating func run(disturbedBy random: inout SeededGenerator) {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let time = Duration.milliseconds(Int.random(in: 0...Int(limit / .milliseconds(1)), using: &random))
                let index = Int.random(in: -1...9, using: &random)
                let event: Event =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0, 1, 2: .handshake(index, Bool.random(using: &random) ? CheckMachineTests.server : nil)
                    case 3, 4: CheckMachineTests.answer(index, refused)
                    case 5: .hops(.loss(.init(isMute: true)))
                    case 6: .inquiry(.routers, nil)
                    default: .cancelled
                    }
                pending.append((time, event))
            }
            run()
            for (time, event) in pending {
                machine.record(event, at: time)
                #expect(machine.commands(at: time).isEmpty && machine.isOver)
            }
            let report = report
            #expect(report.endpoints.count == machine.plan.endpoints.count)
        }

        /// The hops that may be asked answer later.
        private mutating func follow(_ events: [Event], at now: Duration) {
            for case .inquiry(let kind, _?, _) in events {
                guard let (delay, part) = part(kind) else { continue }
                pending.append((now + delay, .hops(part)))
            }
        }

        private mutating func perform(_ commands: [CheckMachine.Command]) {
            let now = machine.now
            for command in commands {
                onCommand(command, now)
                switch command {
                case .query(let index):
                    let (time, outcome) = answer(index) ?? (limit, timedOut)
                    pending.append((time, CheckMachineTests.answer(index, outcome)))
                case .queryCaptivePortalAPI: pending.append((api.at, .captivePortal(api.evidence)))
                case .ask(let kind): pending.append((now, .inquiry(kind, part(kind).map { _ in [resolver] })))
                case .probe(let probe):
                    let kind: HopCollection.Kind =
                        switch probe {
                        case .largePackets: .largePackets
                        case .loss: .loss
                        case .family: .family
                        case .page: .page
                        case .certificate: .certificate
                        }
                    if let (delay, part) = part(kind) { pending.append((now + delay, .hops(part))) }
                case .setAlarm(let time):
                    #expect(time > now)
                    pending.append((time, .alarm))
                }
            }
        }
    }
}

extension CheckMachine.Command {
    fileprivate var isQuery: Bool { if case .query = self { true } else { false } }
}
