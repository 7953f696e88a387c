// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import TestSupport
import Testing

@testable import DialtoneServer

struct RequestSectionTests {
    @Test(
        arguments: [
            (.delivered, .online), (.clientError(status: 404), .online), (.serverError(status: 503), .serverTrouble),
            (.offline, .offline), (.captivePortal, .offline), (.timedOut, .failed), (.nameNotFound, .failed),
            (.cannotConnect, .failed), (.connectionLost, .failed), (.tlsFailure, .failed), (.unexpectedBody, .failed),
            (.failed, .failed), (.cancelled, .unknown),
        ] as [(NetworkRequester.Outcome, RequestProgress.Kind)])
    func `each outcome has the library's state and the library's text`(
        outcome: NetworkRequester.Outcome, kind: RequestProgress.Kind
    ) {
        let progress = RequestProgress(phase: .finished(outcome))
        let advice = outcome.advice
        #expect(progress.kind == kind)
        #expect(RequestSection.sentence(progress) == "Request: \(advice.title). \(advice.instruction)")
        let page = "\(RequestSection.html(progress))"
        #expect(page.contains(">\(advice.title)</p>"))
        #expect(!page.contains("Server trouble"))
    }

    @Test(arguments: [
        (AnswerMismatch.notJSON, "Failed to parse JSON"), (.redirect, "Unexpected answer"),
        (.other(expected: "body:OK"), "Unexpected answer"),
    ]) func `an unexpected answer is explained by its difference`(mismatch: AnswerMismatch, title: String) {
        var progress = RequestProgress(phase: .finished(.unexpectedBody))
        progress.mismatch = mismatch
        #expect(RequestSection.sentence(progress) == "Request: \(title). \(mismatch.advice.instruction)")
        #expect(progress.kind == .failed)
    }

    @Test func `before a request and during it, the page has the library's text`() {
        for (phase, state) in [
            (RequestProgress.Phase.unknown, NetworkRequester.Status.State.unknown), (.checking, .checking),
        ] {
            let advice = NetworkRequester.Status(state).advice
            #expect(
                RequestSection.sentence(RequestProgress(phase: phase))
                    == "Request: \(advice.title). \(advice.instruction)")
        }
    }

    @Test func `the request waits for a path, unless the Internet is proven without one`() {
        func level(_ state: ConnectivityState, _ path: NetworkPath) -> WaitingPolicy.Level {
            RequestRunner.level(Connectivity(state: state, path: path, since: .sample))
        }
        #expect(level(.online, NetworkPath(status: .satisfied)) == .path)
        #expect(level(.limited, NetworkPath(status: .satisfied)) == .path)
        #expect(level(.offline, NetworkPath(status: .unsatisfied)) == .path)
        #expect(level(.online, NetworkPath(status: .unsatisfied)) == .verified)
    }

    @Test func `a cancelled request leaves what the last one showed`() async throws {
        let network = SimulatedNetwork(.wifi, clock: TestClock())
        let monitor = try ConnectivityMonitor(simulating: network)
        let room = try WaitingRoom(monitor)
        let steps = Recorder<RequestProgress>()
        let runner = RequestRunner { steps.record($0) }
        runner.start(Answer(status: 503), in: room, monitor: monitor)
        while try await steps.next().kind != .serverTrouble {}
        runner.start(Answer(status: nil), in: room, monitor: monitor)
        while try await steps.next().attempts == 0 {}
        runner.cancel()
        let last = try await steps.next()
        #expect(last.phase == .finished(.serverError(status: 503)) && last.status == 503)
    }

    @Test(
        arguments: [
            (200, .notJSON, .unexpectedBody), (302, .redirect, .unexpectedBody), (503, nil, .serverError(status: 503)),
        ]
            as [(Int, AnswerMismatch?, NetworkRequester.Outcome)])
    func `an answer that is not the expected one is the only outcome, with its difference`(
        status: Int, mismatch: AnswerMismatch?, outcome: NetworkRequester.Outcome
    ) async throws {
        let clock = TestClock()
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.polling = .never
        let monitor = try ConnectivityMonitor(simulating: SimulatedNetwork(.wifi, clock: clock), configuration)
        monitor.start()
        for await connectivity in monitor.updates() where connectivity.isOnline { break }
        // Moves past the spacing, so that the check of a failure does not have to wait for it.
        clock.advance(by: .seconds(60))
        let steps = Recorder<RequestProgress>()
        let runner = RequestRunner { steps.record($0) }
        // A server's error is a separate outcome, whatever answer was expected.
        let answer = Answer(status: status, mismatch: mismatch ?? .other(expected: "JSON"))
        runner.start(answer, in: try WaitingRoom(monitor), monitor: monitor)
        var last = try await steps.next()
        while last.isUnderWay { last = try await steps.next() }
        #expect(last.phase == .finished(outcome) && last.status == status && last.mismatch == mismatch)
    }

    /// A request with a given answer; without one, it takes until it is cancelled.
    private struct Answer: RequestPerformer {
        let status: Int?
        var mismatch: AnswerMismatch?
        var server: HostTarget? { nil }

        func perform() async throws -> RequestAnswer {
            if let status { return RequestAnswer(NetworkRequester.Reply(status: status), mismatch: mismatch) }
            try await waitForCancellation()
            return RequestAnswer(NetworkRequester.Reply(status: 200))
        }
    }
}
