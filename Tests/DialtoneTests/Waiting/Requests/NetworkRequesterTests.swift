// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Dispatch
import Foundation
import Observation
import TestSupport
import Testing

@testable import Dialtone

/// The loop of a "Request data" button, on a simulated network.
@Suite(.timeLimit(.minutes(5)))
struct NetworkRequesterTests {
    private struct Weather: Codable, Hashable { let degrees: Int }

    let clock = TestClock()
    let network: SimulatedNetwork
    let monitor: ConnectivityMonitor
    let requester: NetworkRequester

    init() async throws {
        network = SimulatedNetwork(.wifi, clock: clock)
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.polling = .never
        monitor = try ConnectivityMonitor(simulating: network, configuration)
        requester = NetworkRequester(monitor)
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        // Moves past the spacing, so that the next check does not have to wait for it.
        clock.advance(by: .seconds(60))
    }

    private func reply(_ status: Int, _ body: String) -> NetworkRequester.Reply {
        NetworkRequester.Reply(status: status, body: Data(body.utf8))
    }

    @Test func `the status is unknown, then checking, then online, and the request returns the value`() async throws {
        var updates = requester.updates(.everyTransition).makeAsyncIterator()
        #expect(await updates.next() == NetworkRequester.Status(.unknown))
        let weather = try await requester.request(Weather.self) { reply(200, #"{"degrees":21}"#) }
        #expect(weather == Weather(degrees: 21))
        #expect(await updates.next()?.state == .checking)
        let last = await updates.next()
        #expect(last == NetworkRequester.Status(.online, outcome: .delivered, updatedAt: clock.date))
        #expect(last == requester.status)
    }

    @Test func `a closure and a delegate get the current status and each change, in order`() async throws {
        final class Delegate: NetworkRequester.Delegate {
            let statuses = Recorder<NetworkRequester.Status.State>()

            func networkRequester(_ requester: NetworkRequester, didChangeTo status: NetworkRequester.Status) {
                statuses.record(status.state)
            }
        }
        let (delegate, statuses) = (Delegate(), Recorder<NetworkRequester.Status.State>())
        let observations = [
            requester.observe(on: .global()) { statuses.record($0.state) },
            requester.addDelegate(delegate, queue: .global()),
        ]
        _ = try? await requester.request(Weather.self) { reply(503, "") }
        for recorder in [statuses, delegate.statuses] {
            var received: [NetworkRequester.Status.State] = []
            for _ in 0..<3 { received.append(try await recorder.next()) }
            #expect(received == [.unknown, .checking, .serverTrouble])
        }
        #expect(requester.status.isOnline)
        for observation in observations { observation.cancel() }
        try await eventually { !requester.statuses.hasSubscribers }
        withExtendedLifetime(observations) {}
    }

    /// Only a response over HTTPS saves the monitor a check, whether or not it is what the app wants.
    @Test(arguments: [
        (200, #"{"degrees":21}"#, true), (200, #"{"degrees":21}"#, false), (200, "{", true), (304, "", true),
    ])
    func `an authenticated reply proves connectivity, a plain one does not`(
        status: Int, body: String, isAuthenticated: Bool
    ) async throws {
        let monitor = try ConnectivityMonitor(simulating: network)
        let requester = NetworkRequester(monitor)
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        // The monitor performs its actions in order: a new observer's first value comes after the timer was set.
        func waitForEarlierActions() async { for await _ in monitor.updates() { break } }
        await waitForEarlierActions()
        let due = clock.deadlines.first
        clock.advance(by: .seconds(30))
        let checks = network.checkCount
        let weather = try? await requester.request(Weather.self) {
            NetworkRequester.Reply(status: status, body: Data(body.utf8), isAuthenticated: isAuthenticated)
        }
        #expect((weather != nil) == (body.count > 1))
        await waitForEarlierActions()
        #expect(network.checkCount == checks)
        #expect((clock.deadlines.first == due) == !isAuthenticated)
    }

    @Test func `without a network the status is offline, whatever error the client reports`() async throws {
        await network.become(.offline(.noCarrier), seenBy: monitor)
        let error = await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { throw RequestFailure(.nameNotFound) }
        }
        #expect(error?.outcome == .offline)
        #expect(error?.reason == monitor.current.reason && error?.reason != nil)
        #expect(error?.localizedDescription == "You are offline. \(monitor.current.reason ?? "")")
        #expect(requester.status.advice.instruction == monitor.current.reason)
        #expect(error?.underlying as? RequestFailure == RequestFailure(.nameNotFound))
        #expect(requester.status.state == .offline)
    }

    @Test func `a failure waits for the check, which finds the login page or the dead uplink`() async throws {
        network.internet = .captivePortal(try #require(URL(string: "http://portal.test/")))
        let checks = network.checkCount
        let error = await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { reply(200, "<html>Welcome!</html>") }
        }
        #expect(error?.outcome == .captivePortal)
        #expect(error?.underlying is DecodingError)
        #expect(requester.status.state == .offline)
        #expect(network.checkCount == checks + 1)
        #expect(monitor.current.state == .captivePortal)
        // The user logs in. The monitor learns of it only from the next response.
        network.internet = .online
        clock.advance(by: .seconds(60))
        _ = try await requester.request(Weather.self) { reply(200, #"{"degrees":1}"#) }
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        #expect(network.checkCount > checks + 1)
    }

    @Test func `a redirect loop waits for the check, which finds the login page`() async throws {
        network.internet = .captivePortal(try #require(URL(string: "http://portal.test/")))
        let error = await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { throw RequestFailure(.redirectLoop) }
        }
        #expect(error?.outcome == .captivePortal)
        #expect(requester.status.state == .offline)
        #expect(monitor.current.state == .captivePortal)
    }

    @Test func `without verification, the known state decides at once`() async throws {
        let requester = NetworkRequester(monitor, verifiesFailures: false)
        network.holdChecks()
        let error = await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { throw RequestFailure(.timedOut) }
        }
        #expect(error?.outcome == .timedOut)
        #expect(requester.status.state == .failed)
        network.releaseChecks()
    }

    @Test func `a server error is distinguished from a rejected request, and neither starts a check`() async throws {
        let checks = network.checkCount
        for (status, state) in [
            (503, NetworkRequester.Status.State.serverTrouble), (500, .serverTrouble), (404, .online),
        ] {
            let error = await #expect(throws: NetworkRequester.RequestError.self) {
                try await requester.request(Weather.self) { reply(status, "{}") }
            }
            #expect(error?.reply?.status == status)
            #expect(error?.outcome.status == status)
            #expect(requester.status.state == state)
        }
        #expect(network.checkCount == checks)
    }

    @Test(arguments: ["", "{", "null", "[]", #"{"degrees":"warm"}"#, String(repeating: "[", count: 100_000)])
    func `a body of another form is unexpected, whatever it contains`(body: String) async throws {
        let error = await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { reply(200, body) }
        }
        #expect(error?.outcome == .unexpectedBody)
        #expect(error?.underlying is DecodingError)
        #expect(requester.status.state == .failed)
        clock.advance(by: .seconds(60))
    }

    @Test(arguments: [-1, 0, 42, 199, 304, 302, .max, .min]) func `an unexpected status returns no value`(status: Int)
        async throws
    {
        await #expect(throws: NetworkRequester.RequestError.self) {
            try await requester.request(Weather.self) { reply(status, #"{"degrees":21}"#) }
        }
        #expect(requester.status.state != .online)
        clock.advance(by: .seconds(60))
    }

    @Test func `a cancelled request leaves the status unchanged`() async throws {
        _ = try await requester.request(Weather.self) { reply(200, #"{"degrees":1}"#) }
        let before = requester.status
        let began = Recorder<Void>()
        let task = Task { [requester] in
            try await requester.request(Weather.self) {
                began.record(())
                try await waitForCancellation()
                return NetworkRequester.Reply(status: 200)
            }
        }
        _ = try await began.next()
        #expect(requester.status.state == .checking)
        task.cancel()
        let error = await #expect(throws: NetworkRequester.RequestError.self) { try await task.value }
        #expect(error?.outcome == .cancelled)
        #expect(requester.status == before)
    }

    @Test func `withConnectivity can wait around a requester`() async throws {
        let room = try WaitingRoom(monitor, time: clock.timeSource, random: { 0 })
        await network.become(.offline, seenBy: monitor)
        let reasons = Recorder<WaitingPolicy.Obstacle>()
        let task = Task { [requester] in
            try await withConnectivity(WaitingPolicy(isIdempotent: true), in: room) { reason in
                reasons.record(reason)
                return .keepWaiting
            } operation: {
                try await requester.request(Weather.self) {
                    NetworkRequester.Reply(status: 200, body: Data(#"{"degrees":3}"#.utf8))
                }
            }
        }
        _ = try await reasons.next()
        await network.become(.wifi, seenBy: monitor)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == Weather(degrees: 3))
    }

    @Test func `an answered request is never retried, and one with a lost connection is`() {
        let failure = { (error: NetworkRequester.RequestError) in error.requestFailure }
        #expect(failure(.init(.serverError(status: 500), reply: reply(500, ""))).kind == .invalidRequest)
        #expect(failure(.init(.captivePortal, reply: reply(200, ""))).kind == .unknown)
        let lost = RequestFailure(.connectionLost)
        #expect(failure(.init(.connectionLost, underlying: lost)) == lost)
        #expect(failure(.init(.failed)).kind == .unknown)
    }

    @Test func `all subscribers get the same statuses, and their streams end with the requester`() async throws {
        var one: NetworkRequester? = NetworkRequester(monitor)
        let streams = (0..<3).compactMap { _ in one?.updates(.everyTransition) }
        _ = try await one?.request(read: { $0.status }) { reply(204, "") }
        one = nil
        for stream in streams {
            let states = await stream.reduce(into: []) { $0.append($1.state) }
            #expect(states == [.unknown, .checking, .online])
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test func `the model changes on the main actor, and notifies its observers`() async throws {
        let model = NetworkRequester.Model(requester)
        #expect(model.status.state == .unknown)
        _ = try await requester.request(Weather.self) { reply(200, #"{"degrees":1}"#) }
        while model.status.state != .online {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = model.status
                } onChange: {
                    continuation.resume()
                }
            }
            await Task.yield()
        }
        #expect(model.status == requester.status)
    }

    @Test(.timeLimit(.minutes(5))) func `loops that end during status changes never hang`() async {
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<5_000 { requester.end(requester.begin(), .delivered) }
                }
            }
            for number in 0..<2_000 {
                group.addTask {
                    let loop = Task { for await _ in requester.updates() {} }
                    for _ in 0..<number % 21 { await Task.yield() }
                    loop.cancel()
                    await loop.value
                }
            }
        }
        #expect(requester.status.state == .online)
    }

    /// The runtime takes its own locks to wake a loop; the requester's lock must be free at that time.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(.timeLimit(.minutes(5))) func `loops are woken outside the lock`() async throws {
        let waking = WakingProbe(requester)
        let statuses = Recorder<NetworkRequester.Status.State>()
        let loop = Task(executorPreference: waking) {
            for await status in requester.updates(.everyTransition) { statuses.record(status.state) }
        }
        _ = try await statuses.next { $0 == .unknown }
        requester.end(requester.begin(), .delivered)
        _ = try await statuses.next { $0 == .online }
        loop.cancel()
    }
}

/// Reads the status whenever the loop is woken, on the thread that wakes it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class WakingProbe: TaskExecutor {
    private let requester: NetworkRequester

    init(_ requester: NetworkRequester) { self.requester = requester }

    func enqueue(_ job: consuming ExecutorJob) {
        _ = requester.status
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
}
