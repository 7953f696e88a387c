// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// The steps of a request that waits for connectivity, as tables.
struct RequestWaitTests {
    private static let offline = WaitingPolicy.Obstacle.offline(nil)
    private static let noInternet = WaitingPolicy.Obstacle.noInternet("Nothing answers.")
    private static let host = HostTarget(NetworkAddress(192, 0, 2, 7))
    private static let carryingCodes: [HostError.Code] = [
        .noRoute, .routerSilent, .resolverSilent, .resolverFailed, .resolverRefused, .resolverUnreachable,
    ]

    private static func operation(_ policy: WaitingPolicy = WaitingPolicy()) -> RequestWait {
        var wait = RequestWait(policy, at: .zero)
        _ = wait.begin(at: .zero)
        return wait
    }

    private static func task() -> RequestWait {
        var wait = RequestWait(WaitRequirement())
        _ = wait.begin(at: .zero)
        return wait
    }

    /// Both kinds of requests, after the start of an attempt.
    private static var attempts: [RequestWait] {
        [operation(), task()].map { wait in
            var wait = wait
            #expect(wait.handle(.admitted, at: .zero) == .attempt)
            return wait
        }
    }

    private static func isEntry(_ step: RequestWait.Step, earliest: Duration?, retriesOnChange: Bool = false) -> Bool {
        guard case .enter(let entry) = step else { return false }
        return entry.earliest == earliest && entry.retriesOnChange == retriesOnChange
    }

    // MARK: Waiting

    @Test func `a request enters the room, waits there, and makes an attempt when it is admitted`() {
        var wait = RequestWait(WaitingPolicy(deadline: .seconds(9)), at: .seconds(1))
        #expect(wait.begin(at: .seconds(1)) == .enter(RequestWait.Entry(deadline: .seconds(10))))
        #expect(wait.handle(.waiting(Self.offline), at: .seconds(2)) == .notify(Self.offline, then: .stay))
        // The room may report another obstacle; the wait is the same.
        #expect(wait.handle(.waiting(Self.noInternet), at: .seconds(3)) == .stay)
        #expect(wait.handle(.admitted, at: .seconds(4)) == .attempt)
        #expect(wait.attempts == 1)
    }

    @Test func `the deadline ends the wait with the last obstacle`() {
        var wait = Self.operation(WaitingPolicy(deadline: .seconds(9)))
        let error = WaitingError(.deadlinePassed, obstacle: Self.offline)
        #expect(wait.handle(.expired(Self.offline), at: .seconds(9)) == .expire(error))
    }

    @Test func `a nearby host needs no path, until the next wait`() {
        for var wait in [Self.operation(WaitingPolicy(.host(Self.host))), Self.task()] {
            #expect(wait.handle(.waiting(Self.offline), at: .zero) == .findRoute(Self.offline))
            #expect(Self.isEntry(wait.found(isNearby: true, despite: Self.offline), earliest: nil))
            #expect(!wait.requirement.needsPath)
            _ = wait.attempt()
            _ = wait.failed(RequestFailure(.cannotConnect), obstacle: Self.offline, at: .zero, random: 1)
            #expect(wait.requirement.needsPath)
        }
    }

    @Test func `without a route of the host's own, the request stays in the room`() {
        for var wait in [Self.operation(WaitingPolicy(.host(Self.host))), Self.task()] {
            let step = wait.found(isNearby: false, despite: Self.offline)
            #expect(step == .notify(Self.offline, then: .stay))
            #expect(wait.found(isNearby: false, despite: Self.offline) == .stay)
            #expect(wait.requirement.needsPath)
        }
    }

    @Test func `a host must accept a connection before an attempt, and a refusal pauses`() {
        let error = HostError(.refused)
        var wait = Self.operation(WaitingPolicy(.host(Self.host), deadline: .seconds(60)))
        var pauses: [Duration?] = []
        for number in 1...3 {
            #expect(wait.handle(.admitted, at: .zero) == .connect)
            switch wait.connected(error, at: .zero, random: 1) {
            case .notify(.hostUnreachable(error), then: .enter(let entry)) where number == 1:
                pauses.append(entry.earliest)
            case .enter(let entry) where number > 1: pauses.append(entry.earliest)
            case let step: Issue.record("\(step)")
            }
        }
        #expect(pauses == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(wait.handle(.admitted, at: .zero) == .connect)
        #expect(wait.connected(nil, at: .zero, random: 1) == .attempt)
        #expect(wait.attempts == 1)
        let late = WaitingError(.deadlinePassed, obstacle: .hostUnreachable(error), attempts: 1)
        #expect(wait.connected(error, at: .seconds(60), random: 1) == .expire(late))
    }

    /// The host's link may appear without a change that the room reports.
    @Test func `a request for a host looks for its link again, and keeps its pause`() {
        var wait = Self.operation(WaitingPolicy(.host(Self.host), deadline: .seconds(60)))
        var ends: [Duration?] = []
        for _ in 0..<3 {
            guard case .enter(let entry) = wait.handle(.expired(Self.offline), at: .zero) else { continue }
            ends.append(entry.deadline)
        }
        #expect(ends == [.seconds(1), .seconds(2), .seconds(4)])
        _ = wait.connected(HostError(.refused), at: .seconds(9), random: 1)
        #expect(Self.isEntry(wait.handle(.expired(nil), at: .seconds(9)), earliest: .milliseconds(9500)))
    }

    // MARK: Failures

    @Test func `an obstacle in the room is waited for at no cost`() {
        for var wait in Self.attempts {
            let step = wait.failed(
                RequestFailure(.cannotConnect), obstacle: Self.offline, at: .seconds(5), random: 1)
            #expect(Self.isEntry(step, earliest: .seconds(5)))
        }
    }

    static let contacts: [(String?, String?, Bool)] = [
        ("https://shop.test/", "https://shop.test/", true), ("https://shop.test/", "https://pay.test/", false),
        ("http://shop.test/", "https://shop.test/", false), ("proxy.test", "proxy.test:3128", true),
        (nil, "pay.test", true), ("shop.test", nil, true),
    ]

    @Test(arguments: contacts)
    func `an operation whose connection to another host fails was redirected by a server, and is not repeated`(
        contact: String?, failed: String?, isRetried: Bool
    ) throws {
        var (policy, failure) = (WaitingPolicy(), RequestFailure(.cannotConnect))
        policy.contact = try contact.map { try HostTarget($0) }
        failure.contact = try failed.map { try HostTarget($0) }
        for isIdempotent in [false, true] {
            policy.isIdempotent = isIdempotent
            var wait = Self.operation(policy)
            #expect(wait.handle(.admitted, at: .zero) == .attempt)
            let step = wait.failed(failure, obstacle: nil, at: .zero, random: 1)
            guard isRetried || isIdempotent else {
                failure.mayHaveReachedServer = true
                #expect(step == .fail(failure, nil))
                failure.mayHaveReachedServer = false
                continue
            }
            #expect(step == .findCause)
            guard case .enter(let entry) = wait.found(nil, internet: nil, at: .zero, random: 1) else {
                Issue.record("no other attempt")
                continue
            }
            #expect(entry.spendsRetry)
        }
    }

    @Test(arguments: carryingCodes)
    func `a connection that the network cannot carry continues the wait, and is no attempt`(code: HostError.Code) {
        let reason = WaitingPolicy.Obstacle.hostUnreachable(HostError(code))
        for var wait in Self.attempts {
            var pauses: [Duration?] = []
            for number in 1...7 {
                #expect(
                    wait.failed(RequestFailure(.cannotConnect), obstacle: nil, at: .zero, random: 1) == .findCause)
                switch wait.found(HostError(code), internet: nil, at: .zero, random: 1) {
                case .notify(reason, then: .enter(let entry)) where number == 1 && entry.retriesOnChange:
                    pauses.append(entry.earliest)
                case .enter(let entry) where number > 1 && entry.retriesOnChange: pauses.append(entry.earliest)
                case let step: Issue.record("\(step)")
                }
                #expect(wait.attempts == 0)
                _ = wait.attempt()
            }
            #expect(pauses.prefix(5) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        }
    }

    @Test(arguments: [RequestFailure.Kind.cannotConnect, .timedOut])
    func `a connection that nothing explains waits while the Internet cannot be reached`(kind: RequestFailure.Kind) {
        let failure = RequestFailure(kind, mayHaveReachedServer: false)
        for var wait in Self.attempts {
            for _ in 1...9 {
                #expect(wait.failed(failure, obstacle: nil, at: .zero, random: 1) == .findCause)
                let step = wait.found(nil, internet: Self.noInternet, at: .zero, random: 1)
                if case .fail = step { Issue.record("\(step)") }
                _ = wait.attempt()
            }
            #expect(wait.attempts == 1)
        }
    }

    @Test func `an operation that may have reached the server is not repeated, and its cause does not matter`() {
        var wait = Self.operation()
        _ = wait.attempt()
        let failure = RequestFailure(.timedOut)
        #expect(wait.failed(failure, obstacle: nil, at: .zero, random: 1) == .fail(failure, nil))
    }

    @Test func `an operation whose connection nothing explains is repeated after pauses, as its policy says`() {
        var wait = Self.operation(WaitingPolicy(maximumAttempts: 3))
        let failure = RequestFailure(.cannotConnect)
        var steps: [RequestWait.Step] = []
        for _ in 1...3 {
            _ = wait.attempt()
            _ = wait.failed(failure, obstacle: nil, at: .zero, random: 1)
            steps.append(wait.found(nil, internet: nil, at: .zero, random: 1))
        }
        #expect(
            steps == [
                .enter(RequestWait.Entry(earliest: .milliseconds(500), spendsRetry: true)),
                .enter(RequestWait.Entry(earliest: .seconds(1), spendsRetry: true)), .fail(failure, nil),
            ])
    }

    @Test func `each wait of an operation is notified, and only the first wait of a task`() {
        for (var wait, count) in [(Self.operation(), 2), (Self.task(), 1)] {
            var notices = 0
            for _ in 1...2 {
                var step = wait.handle(.waiting(Self.offline), at: .zero)
                if case .findRoute(let reason) = step { step = wait.found(isNearby: false, despite: reason) }
                if case .notify = step { notices += 1 }
                _ = wait.handle(.admitted, at: .zero)
                _ = wait.failed(RequestFailure(.cannotConnect), obstacle: Self.offline, at: .zero, random: 1)
            }
            #expect(notices == count)
        }
    }

    // MARK: Causes

    private static let failures = [
        RequestFailure(.timedOut, mayHaveReachedServer: false), RequestFailure(.nameNotFound),
        RequestFailure(.cannotConnect),
    ]

    /// The step after the only attempt of an operation.
    private static func step(
        after failure: RequestFailure, _ cause: HostError?, internet: WaitingPolicy.Obstacle? = nil
    ) -> RequestWait.Step {
        var wait = operation(WaitingPolicy(maximumAttempts: 1))
        #expect(wait.handle(.admitted, at: .zero) == .attempt)
        #expect(wait.failed(failure, obstacle: nil, at: .zero, random: 1) == .findCause)
        return wait.found(cause, internet: internet, at: .zero, random: 1)
    }

    private static func wait(for obstacle: WaitingPolicy.Obstacle) -> RequestWait.Step {
        .notify(obstacle, then: .enter(RequestWait.Entry(earliest: .milliseconds(500), retriesOnChange: true)))
    }

    @Test(arguments: carryingCodes)
    func `a network that cannot carry the connection is waited for`(code: HostError.Code) {
        let cause = HostError(code)
        for failure in Self.failures {
            #expect(Self.step(after: failure, cause) == Self.wait(for: .hostUnreachable(cause)))
        }
    }

    @Test(arguments: carryingCodes.filter { $0 != .noRoute })
    func `name servers are not blamed where a check has found the cause`(code: HostError.Code) {
        let cause = HostError(code)
        let step = Self.step(after: RequestFailure(.nameNotFound), cause, internet: Self.noInternet)
        #expect(step == Self.wait(for: code == .routerSilent ? .hostUnreachable(cause) : Self.noInternet))
    }

    @Test(arguments: [
        (HostError.Code.nameNotFound, RequestFailure.Kind.nameNotFound), (.noAddress, .nameNotFound),
        (.unreachable, .cannotConnect),
    ])
    func `a fault of the host is a failure at once`(code: HostError.Code, kind: RequestFailure.Kind) {
        let cause = HostError(code)
        for failure in Self.failures {
            #expect(Self.step(after: failure, cause) == .fail(RequestFailure(kind), cause))
        }
    }

    @Test func `without a cause, a connection is waited for while the Internet cannot be reached`() {
        for failure in Self.failures {
            let step = Self.step(after: failure, nil, internet: Self.noInternet)
            // The name server was reached when the cause was determined.
            #expect(step == (failure.kind == .nameNotFound ? .fail(failure, nil) : Self.wait(for: Self.noInternet)))
        }
        let cause = HostError(.unreachable)
        #expect(
            Self.step(after: RequestFailure(.timedOut, mayHaveReachedServer: false), cause, internet: Self.noInternet)
                == .fail(RequestFailure(.cannotConnect), cause))
    }

    @Test(arguments: [nil, HostError(.unknown), HostError(.system), HostError(.timedOut)])
    func `without a cause, the client's failure stays`(cause: HostError?) {
        for failure in Self.failures { #expect(Self.step(after: failure, cause) == .fail(failure, cause)) }
    }

    // MARK: A task's failures

    private static func next(
        _ kind: RequestFailure.Kind, _ cause: HostError.Code?, hasRetried: Bool = false, hasWaited: Bool = false
    ) -> RequestWait.Step {
        var wait = task()
        if hasWaited { _ = wait.found(isNearby: false, despite: offline) }
        let failures = hasRetried ? [.nameNotFound, kind] : [kind]
        var step = RequestWait.Step.stay
        for (index, kind) in failures.enumerated() {
            _ = wait.attempt()
            _ = wait.failed(
                RequestFailure(kind, mayHaveReachedServer: false), obstacle: nil, at: .seconds(1), random: 1)
            let isLast = index == failures.count - 1
            step = wait.found(isLast ? cause.map { HostError($0) } : nil, internet: nil, at: .seconds(1), random: 1)
        }
        return step
    }

    @Test(arguments: [
        (HostError.Code.nameNotFound, RequestFailure.Kind.nameNotFound), (.unreachable, .cannotConnect),
        (.refused, .timedOut),
    ])
    func `a host at fault ends a task at once, with the error of the network`(
        cause: HostError.Code, kind: RequestFailure.Kind
    ) {
        let failure = RequestFailure(kind, mayHaveReachedServer: false)
        #expect(Self.next(.timedOut, cause) == .fail(failure, HostError(cause)))
    }

    @Test func `if nothing is wrong now, a task tries again once, unless it timed out without having waited`() {
        #expect(Self.isEntry(Self.next(.nameNotFound, nil), earliest: .seconds(1)))
        #expect(Self.isEntry(Self.next(.timedOut, nil, hasWaited: true), earliest: .seconds(1)))
        let timeout = RequestFailure(.timedOut, mayHaveReachedServer: false)
        #expect(Self.next(.timedOut, nil) == .fail(timeout, nil))
        #expect(Self.next(.timedOut, nil, hasRetried: true, hasWaited: true) == .fail(timeout, nil))
        #expect(Self.next(.nameNotFound, nil, hasRetried: true) == .fail(RequestFailure(.nameNotFound), nil))
    }

    @Test func `a task that had to wait again may be retried again`() {
        var wait = Self.task()
        _ = wait.attempt()
        for cause in [nil, HostError(.routerSilent), nil] {
            _ = wait.failed(RequestFailure(.cannotConnect), obstacle: nil, at: .zero, random: 1)
            let step = wait.found(cause, internet: nil, at: .zero, random: 1)
            if case .fail = step { Issue.record("\(step)") }
            _ = wait.attempt()
        }
    }
}
