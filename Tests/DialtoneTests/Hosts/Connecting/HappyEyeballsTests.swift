// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Dialtone

/// RFC 8305 on virtual time: events with their times, and the resulting attempts and outcomes.
struct HappyEyeballsTests {
    @Test func `IPv6 that resolves first is tried at once, and IPv4 follows after 250 ms`() {
        var run = Run()
        run.at(10, .resolved(.ipv6, six(1, 2)), attempt: six(1))
        run.at(12, .resolved(.ipv4, four(1, 2)))
        #expect(run.deadline == 260)
        run.at(260, .timePassed, attempt: four(1))
        run.at(510, .timePassed, attempt: six(2))
        run.at(600, .connected(four(1)), outcome: .connected(four(1)))
        #expect(run.deadline == nil)
    }

    @Test func `IPv4 that resolves first waits 50 ms for IPv6`() {
        var run = Run()
        run.at(10, .resolved(.ipv4, four(1)))
        #expect(run.deadline == 60)
        run.at(59, .timePassed)
        run.at(60, .timePassed, attempt: four(1))
        // IPv6 resolves late.
        run.at(90, .resolved(.ipv6, six(1)))
        run.at(310, .timePassed, attempt: six(1))
    }

    @Test func `IPv6 within the 50 ms goes first`() {
        var run = Run()
        run.at(10, .resolved(.ipv4, four(1)))
        run.at(40, .resolved(.ipv6, six(1)), attempt: six(1))
        run.at(290, .timePassed, attempt: four(1))
    }

    @Test func `IPv4 starts as soon as IPv6 turns out to have no address`() {
        var run = Run()
        run.at(10, .resolved(.ipv4, four(1)))
        run.at(20, .resolved(.ipv6, []), attempt: four(1))
    }

    @Test func `after an attempt that fails the next one starts at once`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1, 2)), attempt: six(1))
        run.at(0, .resolved(.ipv4, four(1)))
        run.at(3, .failed(six(1)), attempt: four(1))
        run.at(5, .failed(four(1)), attempt: six(2))
        run.at(9, .failed(six(2)), outcome: .failed)
    }

    @Test func `earlier attempts continue, and may still win`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1)), attempt: six(1))
        run.at(0, .resolved(.ipv4, four(1)))
        run.at(250, .timePassed, attempt: four(1))
        run.at(260, .failed(four(1)))
        run.at(300, .connected(six(1)), outcome: .connected(six(1)))
    }

    @Test func `the race continues after all attempts failed while a family is still being resolved`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1)), attempt: six(1))
        run.at(5, .failed(six(1)))
        #expect(run.deadline == 10_000)
        run.at(4000, .resolved(.ipv4, four(1)), attempt: four(1))
        run.at(4001, .failed(four(1)), outcome: .failed)
        var reverse = Run()
        reverse.at(0, .resolved(.ipv4, four(1)))
        reverse.at(50, .timePassed, attempt: four(1))
        reverse.at(51, .failed(four(1)))
        reverse.at(2000, .resolved(.ipv6, six(1)), attempt: six(1))
        reverse.at(2001, .connected(six(1)), outcome: .connected(six(1)))
    }

    @Test func `a connection counts although it is reported after the time limit`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1)), attempt: six(1))
        run.at(12_000, .connected(six(1)), outcome: .connected(six(1)))
    }

    @Test func `a race for a name without addresses ends when both families are resolved`() {
        var run = Run()
        run.at(5, .resolved(.ipv6, []))
        run.at(8, .resolved(.ipv4, []), outcome: .failed)
    }

    @Test func `the time limit ends every wait`() {
        var resolving = Run()
        resolving.at(10_000, .timePassed, outcome: .timedOut)
        var connecting = Run()
        connecting.at(0, .resolved(.ipv6, six(1)), attempt: six(1))
        connecting.at(1, .resolved(.ipv4, []))
        #expect(connecting.deadline == 10_000)
        connecting.at(10_000, .timePassed, outcome: .timedOut)
        connecting.at(10_001, .connected(six(1)))
        var late = Run(bound: 0)
        late.at(0, .resolved(.ipv6, six(1)), outcome: .timedOut)
    }

    @Test func `with only one family, the race does not wait for the other`() {
        var run = Run(families: [.ipv4])
        run.at(0, .resolved(.ipv4, four(1)), attempt: four(1))
        run.at(2, .failed(four(1)), outcome: .failed)
    }

    @Test func `if IPv6 has no route, IPv4 is preferred`() {
        var run = Run(preferred: .ipv4)
        run.at(0, .resolved(.ipv6, six(1)))
        run.at(10, .resolved(.ipv4, four(1)), attempt: four(1))
        run.at(260, .timePassed, attempt: six(1))
    }

    @Test func `a duplicate address is tried once`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1, 1)), attempt: six(1))
        run.at(0, .resolved(.ipv4, []))
        run.at(1, .failed(six(1)), outcome: .failed)
    }

    @Test func `the families take turns, however many addresses one has`() {
        var run = Run(preferred: .ipv6)
        run.at(0, .resolved(.ipv6, six(1, 2)), attempt: six(1))
        run.at(0, .resolved(.ipv4, four(1)))
        run.at(250, .timePassed, attempt: four(1))
        run.at(500, .timePassed, attempt: six(2))
    }

    @Test func `at most the maximum number of addresses of a name is tried`() {
        var run = Run(mostAttempts: 2)
        run.at(0, .resolved(.ipv6, six(1, 2, 3)), attempt: six(1))
        run.at(0, .resolved(.ipv4, []))
        run.at(1, .failed(six(1)), attempt: six(2))
        run.at(2, .failed(six(2)), outcome: .failed)
    }

    @Test func `a timer that fires early or often changes nothing`() {
        var run = Run()
        run.at(0, .resolved(.ipv6, six(1, 2)), attempt: six(1))
        for time in [1, 100, 249] { run.at(time, .timePassed) }
        run.at(900, .timePassed, attempt: six(2))
        run.at(901, .timePassed)
    }

    @Test func `in any sequence of events each address is tried once, attempts are spaced, and the race ends`() {
        var generator = SeededGenerator(seed: 8305)
        for _ in 0..<500 {
            var random = RandomRun(generator: generator)
            random.run()
            generator = random.generator
        }
    }
}

func six(_ numbers: UInt8...) -> [NetworkAddress] { numbers.map(six) }
func four(_ numbers: UInt8...) -> [NetworkAddress] { numbers.map(four) }

func six(_ number: UInt8) -> NetworkAddress {
    address([0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [number])
}
func four(_ number: UInt8) -> NetworkAddress { address([192, 0, 2, number]) }

private func address(_ bytes: [UInt8]) -> NetworkAddress { NetworkAddress(bytes: bytes) ?? NetworkAddress.loopbacks[0] }

/// One race, with times in milliseconds.
private struct Run {
    var schedule: HappyEyeballs

    init(
        families: Set<IPVersion> = [.ipv4, .ipv6], preferred: IPVersion = .ipv6, bound: Int = 10_000,
        mostAttempts: Int = 32
    ) {
        var pace = HappyEyeballs.Pace()
        pace.bound = .milliseconds(bound)
        pace.mostAttempts = mostAttempts
        schedule = HappyEyeballs(families: families, preferred: preferred, pace: pace)
    }

    var deadline: Int? { schedule.deadline.map { Int($0 / .milliseconds(1)) } }

    mutating func at(
        _ time: Int, _ event: HappyEyeballs.Event, attempt address: NetworkAddress? = nil,
        outcome: HappyEyeballs.Outcome? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let hadEnded = schedule.outcome != nil
        #expect(schedule.handle(event, at: .milliseconds(time)) == address, sourceLocation: sourceLocation)
        #expect(hadEnded || schedule.outcome == outcome, sourceLocation: sourceLocation)
    }
}

/// A race with random events.
private struct RandomRun {
    var generator: SeededGenerator
    var schedule = HappyEyeballs()
    var now = Duration.zero
    var unresolved: [IPVersion] = [.ipv6, .ipv4]
    var begun: [NetworkAddress] = []
    var running: [NetworkAddress] = []
    var lastBegin: Duration?
    /// Whether an attempt has failed since the last one started; the next one then starts at once.
    var hasFailed = false
    var outcome: HappyEyeballs.Outcome?

    mutating func run() {
        var steps = 0
        while outcome == nil, steps < 1000 {
            steps += 1
            step()
        }
        #expect(outcome != nil)
        #expect(Set(begun).count == begun.count)
    }

    private mutating func step() {
        let choice = Int.random(in: 0..<3, using: &generator)
        if choice == 0, let family = unresolved.randomElement(using: &generator) {
            unresolved.removeAll { $0 == family }
            let count = UInt8.random(in: 0...3, using: &generator)
            take(.resolved(family, (0..<count).map { family == .ipv4 ? four($0) : six($0) }))
        } else if choice == 1, let address = running.randomElement(using: &generator) {
            running.removeAll { $0 == address }
            let isConnected = Int.random(in: 0..<5, using: &generator) == 0
            take(isConnected ? .connected(address) : .failed(address))
        } else if let deadline = schedule.deadline {
            now = max(now, deadline)
            take(.timePassed)
        }
    }

    private mutating func take(_ event: HappyEyeballs.Event) {
        if case .failed = event { hasFailed = true }
        let address = schedule.handle(event, at: now)
        outcome = schedule.outcome
        guard let address else { return }
        if !hasFailed, let lastBegin, !running.isEmpty { #expect(now - lastBegin >= .milliseconds(250)) }
        lastBegin = now
        hasFailed = false
        begun.append(address)
        running.append(address)
    }
}
