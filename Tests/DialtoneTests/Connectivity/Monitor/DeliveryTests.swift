// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Dispatch
import Observation
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

struct DeliveryTests {
    private func simulate(
        _ path: SimulatedPath = .offline
    ) throws -> (SimulatedNetwork, ConnectivityMonitor, TestClock) {
        let clock = TestClock()
        let network = SimulatedNetwork(path, clock: clock)
        let monitor = try ConnectivityMonitor(simulating: network)
        return (network, monitor, clock)
    }

    private static let offlineReasons: [PathDiagnosis.Reason] = [.noCarrier, .noAddress, .noRoute, .allDown]

    // MARK: Sequences

    @Test func `a sequence delivers the current value first, also to late subscribers`() async throws {
        let (network, monitor, _) = try simulate(.wifi)
        var first = monitor.updates().makeAsyncIterator()
        #expect(await first.next()?.state == .online)
        var second = monitor.updates().makeAsyncIterator()
        let value = await second.next()
        #expect(value?.state == .online)
        #expect(value?.changes == [])
        network.become(.offline)
        #expect(await first.next()?.state == .offline)
        #expect(await second.next()?.state == .offline)
    }

    @Test func `a slow loop gets the newest value, with the changes since its last`() async throws {
        let (network, monitor, _) = try simulate()
        var values = monitor.updates().makeAsyncIterator()
        #expect(await values.next()?.path.diagnosis?.reason == .noCarrier)
        for reason in Self.offlineReasons { network.become(.offline(reason)) }
        let value = await values.next()
        #expect(value?.path.diagnosis?.reason == .allDown)
        #expect(value?.changes == [.reason])
        // A change that was reverted is not reported.
        network.become(.offline(.noRoute))
        network.become(.offline(.allDown))
        network.become(.offline(.dormant))
        #expect(await values.next()?.state == .requiresConnection)
    }

    @Test func `a loop that wants every transition gets them all`() async throws {
        let (network, monitor, _) = try simulate()
        var values = monitor.updates(.everyTransition).makeAsyncIterator()
        _ = await values.next()
        let reasons = (0..<500).map { Self.offlineReasons[($0 + 1) % 4] }
        for reason in reasons { network.become(.offline(reason)) }
        for reason in reasons { #expect(await values.next()?.path.diagnosis?.reason == reason) }
    }

    @Test func `a loop that falls too far behind loses the oldest`() async throws {
        let (network, monitor, _) = try simulate()
        var values = monitor.updates(.everyTransition(upTo: 0)).makeAsyncIterator()
        for reason in Self.offlineReasons { network.become(.offline(reason)) }
        #expect(await values.next()?.path.diagnosis?.reason == .allDown)
    }

    @Test func `a loop ends with its task, and the monitor then rests`() async throws {
        let (_, monitor, _) = try simulate()
        let seen = Recorder<ConnectivityState>()
        let loop = Task {
            for await value in monitor.updates() { seen.record(value.state) }
            return true
        }
        #expect(try await seen.next() == .offline)
        loop.cancel()
        #expect(await loop.value)
        #expect(monitor.current.state == .unknown)
    }

    @Test func `the monitor rests after a loop breaks`() async throws {
        let (_, monitor, _) = try simulate()
        for await _ in monitor.updates() { break }
        #expect(monitor.current.state == .unknown)
    }

    // MARK: Closures

    @Test func `a closure is called on its queue, in order, one at a time`() async throws {
        let (network, monitor, _) = try simulate()
        let queue = DispatchQueue(label: "test", attributes: .concurrent)
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let seen = Recorder<PathDiagnosis.Reason?>()
        let running = Mutex(0)
        let observation = monitor.observe(on: queue) { value in
            #expect(DispatchQueue.getSpecific(key: key) == true)
            let count = running.withLock { running in
                running += 1
                return running
            }
            #expect(count == 1)
            seen.record(value.path.diagnosis?.reason)
            running.withLock { $0 -= 1 }
        }
        let reasons = (0..<200).map { Self.offlineReasons[($0 + 1) % 4] }
        for reason in reasons { network.become(.offline(reason)) }
        for reason in [.noCarrier] + reasons { #expect(try await seen.next() == reason) }
        observation.cancel()
    }

    @Test func `no call starts after the end of an observation`() async throws {
        let (network, monitor, _) = try simulate()
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let seen = Recorder<Connectivity>()
        let observation = monitor.observe(on: queue) { seen.record($0) }
        network.become(.offline(.noRoute))
        observation.cancel()
        observation.cancel()
        queue.resume()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(seen.values.isEmpty)
    }

    @Test func `an observation without references ends`() async throws {
        let (_, monitor, _) = try simulate()
        _ = monitor.observe(on: .global()) { _ in }
        #expect(monitor.current.state == .unknown)
    }

    @Test func `a closure may use the monitor and end its own observation`() async throws {
        let (network, monitor, _) = try simulate(.wifi)
        let seen = Recorder<ConnectivityState>()
        let own = Mutex<ConnectivityObservation?>(nil)
        let isSet = DispatchSemaphore(value: 0)
        let observation = monitor.observe(on: DispatchQueue(label: "test")) { value in
            isSet.wait()
            monitor.requestCheck()
            network.become(.offline)
            seen.record(monitor.current.state)
            own.withLock { $0 }?.cancel()
        }
        own.withLock { $0 = observation }
        isSet.signal()
        #expect(try await seen.next() == .offline)
        isSet.signal()
    }

    private actor Counter {
        var reasons: [PathDiagnosis.Reason?] = []
        var observation: ConnectivityObservation?

        func begin(_ monitor: ConnectivityMonitor, _ done: Recorder<Int>) {
            observation = monitor.observe {
                self.assertIsolated()
                self.reasons.append($0.path.diagnosis?.reason)
                done.record(self.reasons.count)
            }
        }
    }

    @Test func `a closure on an actor is called there, in order`() async throws {
        let (network, monitor, _) = try simulate()
        let (counter, done) = (Counter(), Recorder<Int>())
        await counter.begin(monitor, done)
        let reasons = (0..<200).map { Self.offlineReasons[($0 + 1) % 4] }
        for reason in reasons { network.become(.offline(reason)) }
        _ = try await done.next { $0 == 201 }
        #expect(await counter.reasons == [.noCarrier] + reasons)
    }

    @Test @MainActor func `a closure made on the main actor is called on it`() async throws {
        let (network, monitor, _) = try simulate()
        var states: [ConnectivityState] = []
        let done = Recorder<Int>()
        let observation = monitor.observe { value in
            MainActor.assertIsolated()
            states.append(value.state)
            done.record(states.count)
        }
        network.become(.offline(.dormant))
        _ = try await done.next { $0 == 2 }
        #expect(states == [.offline, .requiresConnection])
        observation.cancel()
    }

    // MARK: Delegates and models

    private final class Listener: ConnectivityMonitorDelegate {
        let seen = Recorder<ConnectivityState>()

        func connectivityMonitor(_ monitor: ConnectivityMonitor, didChangeTo connectivity: Connectivity) {
            #expect(monitor.current.state == connectivity.state)
            seen.record(connectivity.state)
        }
    }

    @Test func `a delegate is notified, and is held weakly`() async throws {
        let (network, monitor, _) = try simulate()
        let observation: ConnectivityObservation
        weak var weakListener: Listener?
        do {
            let listener = Listener()
            weakListener = listener
            observation = monitor.addDelegate(listener, queue: .global())
            #expect(try await listener.seen.next() == .offline)
            network.become(.offline(.dormant))
            #expect(try await listener.seen.next() == .requiresConnection)
        }
        try await eventually { weakListener == nil }
        network.become(.offline)
        observation.cancel()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a model changes on the main actor, and its observers are notified`() async throws {
        let (network, monitor, _) = try simulate()
        monitor.start()
        let model = ConnectivityModel(monitor)
        #expect(model.state == .offline)
        let changed = Recorder<Bool>()
        withObservationTracking {
            _ = model.isOnline
        } onChange: {
            changed.record(true)
        }
        network.become(.wifi)
        _ = try await changed.next()
        try await eventually { model.isOnline }
        #expect(model.connectivity.isOnlineViaWiFi)
        monitor.stop()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `the monitor rests once its model is released`() throws {
        let (_, monitor, _) = try simulate()
        do {
            let model = ConnectivityModel(monitor)
            #expect(model.state == .unknown)
            #expect(monitor.current.state == .offline)
        }
        #expect(monitor.current.state == .unknown)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a model has the value of a check once everything is delivered`() async throws {
        let network = SimulatedNetwork(.offline, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let model = ConnectivityModel(monitor)
        for _ in 0..<50 {
            for path in [SimulatedPath.wifi, .offline] {
                network.become(path)
                let value = await monitor.verify()
                await monitor.deliverEverything()
                #expect(model.state == value.state && model.connectivity.path == path.path)
            }
        }
    }

    @Test func `closures and delegates have handled every value once everything is delivered`() async throws {
        let (network, monitor, _) = try simulate(.wifi)
        let seen = Mutex<[ConnectivityState]>([])
        let first = monitor.observe(on: .global()) { value in seen.withLock { $0.append(value.state) } }
        let second = monitor.observe(isolation: nil) { value in seen.withLock { $0.append(value.state) } }
        await monitor.verify()
        network.become(.offline)
        await monitor.deliverEverything()
        #expect(seen.withLock { $0.filter { $0 == .offline }.count } == 2)
        first.cancel()
        second.cancel()
        // Nothing is left to wait for.
        await monitor.deliverEverything()
    }

    @Test @MainActor func `an actor that falls too far behind reports once that it has handled the values before`()
        async throws
    {
        let (network, monitor, _) = try simulate()
        let observation = monitor.observe { _ in }
        let handled = Mutex<[Int]>([])
        // Nothing is handled before the first suspension: the calls are made on the main actor.
        func requestReport(_ number: Int) {
            for receive in monitor.state.withLock({ Array($0.observers.values) }) {
                receive(.handled { handled.withLock { $0.append(number) } })
            }
        }
        func fillBuffer() {
            for number in 0..<ConnectivityUpdates.Buffering.everyTransition.capacity {
                network.become(.offline(Self.offlineReasons[(number + 1) % 4]))
            }
        }
        fillBuffer()
        requestReport(1)
        #expect(handled.withLock { $0 } == [])
        // The full buffer drops the first request, which must not wait forever.
        fillBuffer()
        #expect(handled.withLock { $0 } == [1])
        requestReport(2)
        await monitor.deliverEverything()
        #expect(handled.withLock { $0 } == [1, 2])
        observation.cancel()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test @MainActor func `a model shows one value`() {
        let model = ConnectivityModel(
            showing: Connectivity(state: .offline, path: SimulatedPath.offline.path, since: .distantPast))
        #expect(model.state == .offline && model.reason != nil)
    }
}
