// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Logging
import NetworkSimulation
import TestSupport
import Testing

@testable import DialtoneServer

struct LoginThrottleTests {
    @Test func `not every failure has a line of its own`() {
        let (clock, lines) = (TestClock(), Recorder<String>())
        let throttle = LoginThrottle(
            delay: .seconds(1), limit: 2, logger: Logger(label: "test") { _ in RecordingLog(lines) },
            time: clock.timeSource)
        for _ in 0..<500 { _ = throttle.attempt(isRight: false, by: "form") }
        #expect(lines.values.count == 10)
        clock.advance(by: .seconds(60))
        // The places for lines of their own are free again after a minute.
        _ = throttle.attempt(isRight: false, by: "form")
        #expect(lines.values.count == 11)
        #expect(throttle.failures == 501)
    }

    @Test func `the right token is accepted whatever is pending, and a free place is used again`() async throws {
        let clock = TestClock()
        let throttle = LoginThrottle(
            delay: .seconds(1), limit: 2, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: clock.timeSource)
        for _ in 0..<2 { #expect(throttle.attempt(isRight: false, by: "form") == .wrong) }
        #expect(throttle.attempt(isRight: false, by: "form") == .refused)
        #expect(throttle.attempt(isRight: true, by: "form") == .right)
        #expect(throttle.failures == 3)
        async let delay: Void = throttle.delay()
        try await clock.sleepers(atLeast: 1)
        #expect(throttle.attempt(isRight: false, by: "form") == .refused)
        clock.advance(by: .seconds(1))
        await delay
        #expect(throttle.attempt(isRight: false, by: "form") == .wrong)
        #expect(throttle.attempt(isRight: false, by: "form") == .refused)
    }
}
