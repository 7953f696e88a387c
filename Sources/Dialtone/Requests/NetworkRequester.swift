//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import OrderedDelivery
import Synchronization

/// Makes requests, and says by what became of the last one whether this machine is online.
///
/// ```swift
/// let requester = NetworkRequester()
/// let weather = try await requester.request(Weather.self) {
///     let (body, status) = try await myClient.get("/weather")
///     return RequestReply(status: status, body: body)
/// }
/// print(requester.status.advice().instruction)  // "Based upon your last request, you are online."
/// ```
///
/// Any client will do; there are shorter forms for URLSession (`DialtoneURLSession`) and for async-http-client
/// (`DialtoneAsyncHTTPClient`). Each outcome is reported to the monitor, which then checks where it speaks against what the
/// monitor knew. Requests may overlap: the one that began last decides.
public final class NetworkRequester: Sendable {
    /// Who knows of paths and portals, and hears of the outcomes.
    public let monitor: ConnectivityMonitor
    /// Whether a failure waits for the monitor's check of the Internet, so that a login page or a dead uplink is told as such.
    public let verifiesFailures: Bool

    private let state = Mutex(State())

    private struct State {
        var machine = RequestMachine()
        var followers: [UInt64: AsyncStream<RequestStatus>.Continuation] = [:]
        var lastFollower: UInt64 = 0
        /// What those who follow have yet to get: all the same, in the same order.
        var outbox = Outbox<News>()
    }

    private struct News: Sendable {
        let status: RequestStatus
        let followers: [AsyncStream<RequestStatus>.Continuation]
    }

    /// Makes a requester.
    ///
    /// - Parameters:
    ///   - monitor: who knows of paths and portals; one that rests knows nothing, and then errors alone tell.
    ///   - verifiesFailures: whether a failure is only told when the monitor has checked the Internet, which takes as long as
    ///     its check; without it, what the monitor knows already decides.
    public init(_ monitor: ConnectivityMonitor = .shared, verifiesFailures: Bool = true) {
        self.monitor = monitor
        self.verifiesFailures = verifiesFailures
    }

    deinit {
        for follower in state.withLock({ $0.followers.values }) { follower.finish() }
    }

    /// What the last request says.
    public var status: RequestStatus { state.withLock { $0.machine.status } }

    /// The status as an asynchronous sequence: the current one first, then each change.
    ///
    /// It ends with its task or with the requester.
    ///
    /// - Parameter buffering: what a loop gets that is slower than the requests.
    public func updates(_ buffering: ConnectivityUpdates.Buffering = .newest) -> AsyncStream<RequestStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RequestStatus.self, bufferingPolicy: .bufferingNewest(buffering.capacity))
        let number = state.withLock { state in
            state.lastFollower += 1
            state.followers[state.lastFollower] = continuation
            continuation.yield(state.machine.status)
            return state.lastFollower
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.followers.removeValue(forKey: number) }
        }
        return stream
    }

    func begin() -> UInt64 { change { $0.begin() } }

    func end(_ number: UInt64, _ outcome: RequestOutcome) {
        let now = monitor.time.now.wall
        change { $0.end(number, outcome, at: now) }
    }

    private func change<Value: Sendable>(_ body: (inout RequestMachine) -> Value) -> Value {
        let (value, mustDeliver) = state.withLock { state in
            let before = state.machine.status
            let value = body(&state.machine)
            if state.machine.status != before {
                state.outbox.put(News(status: state.machine.status, followers: Array(state.followers.values)))
            }
            return (value, state.outbox.mustBeEmptied())
        }
        if mustDeliver {
            while let all = state.withLock({ $0.outbox.takeAll() }) {
                for news in all {
                    for follower in news.followers { follower.yield(news.status) }
                }
            }
        }
        return value
    }
}
