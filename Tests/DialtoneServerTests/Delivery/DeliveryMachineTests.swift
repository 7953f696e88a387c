// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

/// When events are sent, on virtual time.
struct DeliveryMachineTests {
    private static func machine(_ state: HistoryState = .online) -> DeliveryMachine {
        var machine = DeliveryMachine()
        machine.connectivityChanged(to: state)
        return machine
    }

    /// The times of attempts that all fail, without a jitter's reduction.
    private func attempts(
        _ machine: inout DeliveryMachine, until end: Double, _ result: DeliveryResult = .failed("")
    ) -> [Double] {
        var (times, now): ([Double], Double) = ([], 0)
        while now < end {
            switch machine.next(hasEvents: true, at: now) {
            case .idle: return times
            case .wait(let time): now = time
            case .send:
                times.append(now)
                _ = machine.ended(result, of: 100, jitter: 1, at: now)
            }
        }
        return times
    }

    @Test func `without events nothing happens`() {
        for state in HistoryState.allCases {
            #expect(Self.machine(state).next(hasEvents: false, at: 0) == .idle)
        }
    }

    @Test(arguments: [
        (HistoryState.online, true), (.unverified, true), (.limited, true), (.captivePortal, true),
        (.offline, true), (.unknown, true), (.requiresConnection, false),
    ]) func `attempts need no Internet, but dial no link`(state: HistoryState, isTried: Bool) {
        #expect(Self.machine(state).next(hasEvents: true, at: 0) == (isTried ? .send(limit: 100) : .idle))
    }

    @Test func `before the first state nothing is sent, because the link may have to be dialled`() {
        #expect(DeliveryMachine().next(hasEvents: true, at: 0) == .idle)
        #expect(DeliveryMachine(.unknown).next(hasEvents: true, at: 0) == .send(limit: 100))
    }

    @Test func `attempts that fail are rare, and their number is bounded`() {
        var machine = Self.machine(.limited)
        let times = attempts(&machine, until: 86_400)
        #expect(Array(times.prefix(9)) == [0, 2, 6, 14, 30, 62, 126, 254, 510])
        // At most every five minutes.
        #expect(times.count < 300)
    }

    @Test(arguments: [(0.0, 1.0), (0.5, 1.5), (1.0, 2.0)])
    func `the pause is shortened at random`(jitter: Double, pause: Double) {
        var machine = Self.machine()
        _ = machine.ended(.failed(""), of: 1, jitter: jitter, at: 10)
        #expect(machine.next(hasEvents: true, at: 10) == .wait(until: 10 + pause))
    }

    @Test func `when the Internet is verified again, the attempt is due at once`() {
        var machine = Self.machine(.offline)
        _ = attempts(&machine, until: 1000)
        guard case .wait = machine.next(hasEvents: true, at: 1000) else {
            Issue.record("no pause")
            return
        }
        machine.connectivityChanged(to: .unverified)
        #expect(machine.next(hasEvents: true, at: 1000) != .send(limit: 100))
        machine.connectivityChanged(to: .online)
        #expect(machine.next(hasEvents: true, at: 1000) == .send(limit: 100))
        // A value that only repeats the state is no reason.
        _ = machine.ended(.failed(""), of: 1, jitter: 1, at: 1000)
        machine.connectivityChanged(to: .online)
        #expect(machine.next(hasEvents: true, at: 1000) == .wait(until: 1300))
    }

    @Test(arguments: [(10.0, 10.0), (0, 2), (1e9, 3600), (.infinity, 3600)])
    func `a delay that the collector asks for counts within bounds, even when the Internet returns`(
        delay: Double, pause: Double
    ) {
        var machine = Self.machine()
        _ = machine.ended(.refused(status: 503, retryAfter: delay), of: 1, jitter: 1, at: 0)
        #expect(machine.next(hasEvents: true, at: 0) == .wait(until: pause))
        machine.connectivityChanged(to: .offline)
        machine.connectivityChanged(to: .online)
        let next = machine.next(hasEvents: true, at: 0)
        #expect(next == (delay > 0 ? .wait(until: pause) : .send(limit: 100)))
    }

    @Test func `a batch that is too large is halved, and grows again`() {
        var machine = Self.machine()
        var limits: [Int] = []
        var now = 0.0
        let tooLarge = DeliveryResult.refused(status: 413, retryAfter: nil)
        for number in 0..<16 {
            let result = number < 8 ? tooLarge : .acknowledged
            now += 1000
            guard case .send(let limit) = machine.next(hasEvents: true, at: now) else { continue }
            limits.append(limit)
            _ = machine.ended(result, of: limit, jitter: 1, at: now)
        }
        #expect(limits == [100, 50, 25, 12, 6, 3, 1, 1, 1, 2, 4, 8, 16, 32, 64, 100])
    }

    @Test func `success resets the pauses`() {
        var machine = Self.machine()
        _ = attempts(&machine, until: 1000)
        _ = machine.ended(.acknowledged, of: 1, jitter: 1, at: 2000)
        _ = machine.ended(.failed(""), of: 1, jitter: 1, at: 2000)
        #expect(machine.next(hasEvents: true, at: 2000) == .wait(until: 2002))
    }

    /// The delivery of numbered events to a collector that refuses batches with certain events.
    private struct Delivery {
        var delivered: [Int] = []
        var setAside: [Int] = []
        var requests = 0
        var seconds = 0.0

        init(of count: Int, refusing poison: Set<Int>, with status: Int, until end: Double = 86_400) {
            var machine = DeliveryMachineTests.machine()
            var queue = Array(0..<count)
            while !queue.isEmpty, seconds < end {
                switch machine.next(hasEvents: true, at: seconds) {
                case .idle: return
                case .wait(let time): seconds = time
                case .send(let limit):
                    let batch = Array(queue.prefix(limit))
                    let isRefused = !poison.isDisjoint(with: batch)
                    requests += 1
                    let isSetAside = machine.ended(
                        isRefused ? .refused(status: status, retryAfter: nil) : .acknowledged, of: batch.count,
                        jitter: 1,
                        at: seconds)
                    guard !isRefused || isSetAside else { continue }
                    queue.removeFirst(batch.count)
                    if isSetAside { setAside += batch } else { delivered += batch }
                }
            }
        }
    }

    @Test(arguments: [400, 413, 422], [0, 1, 50, 99, 249])
    func `an event that the collector refuses for good does not hold back the others`(status: Int, poison: Int) {
        let delivery = Delivery(of: 250, refusing: [poison], with: status)
        #expect(delivery.setAside == [poison])
        #expect(delivery.delivered == (0..<250).filter { $0 != poison })
        #expect(delivery.requests < 40 && delivery.seconds < 180, "\(delivery.requests), \(delivery.seconds) s")
    }

    @Test func `several such events, also one after the other, are each found`() {
        let poison: Set = [3, 4, 5, 120]
        let delivery = Delivery(of: 200, refusing: poison, with: 422)
        #expect(delivery.setAside == poison.sorted())
        #expect(delivery.delivered == (0..<200).filter { !poison.contains($0) })
    }

    @Test func `a collector that refuses everything costs few events a day`() {
        let delivery = Delivery(of: 1000, refusing: Set(0..<1000), with: 400)
        #expect(delivery.delivered.isEmpty && delivery.setAside.count < 60, "\(delivery.setAside.count)")
    }

    @Test(arguments: [401, 403, 404, 405, 415, 429, 500, 503])
    func `a status that does not blame the content loses nothing`(
        status: Int
    ) {
        let delivery = Delivery(of: 3, refusing: [0, 1, 2], with: status)
        #expect(delivery.setAside.isEmpty && delivery.delivered.isEmpty)
    }
}
