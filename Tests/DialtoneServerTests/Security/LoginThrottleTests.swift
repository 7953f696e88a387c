// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Logging
import TestSupport
import Testing

@testable import DialtoneServer

struct LoginThrottleTests {
    @Test func `one line summarises the failures that are not logged one by one`() async throws {
        let lines = Recorder<String>()
        let throttle = LoginThrottle(
            delay: .seconds(60), limit: 2, summaryInterval: .milliseconds(50),
            logger: Logger(label: "test") { _ in RecordingLog(lines) })
        for _ in 0..<500 { _ = throttle.attempt(isRight: false, by: "form") }
        // On a busy machine a line may come before the last attempt.
        let prefix = "more logins refused count="
        var count = 0
        while count < 490 { count += Int(try await lines.next { $0.hasPrefix(prefix) }.dropFirst(prefix.count)) ?? 0 }
        #expect(count == 490)
        #expect(lines.values.count { !$0.hasPrefix("more") } == 10)
        #expect(throttle.failures == 500)
    }

    @Test func `the right token is accepted whatever is pending, and a free place is used again`() async {
        let throttle = LoginThrottle(
            delay: .milliseconds(1), limit: 2, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for _ in 0..<2 { #expect(throttle.attempt(isRight: false, by: "form") == .wrong) }
        #expect(throttle.attempt(isRight: false, by: "form") == .refused)
        #expect(throttle.attempt(isRight: true, by: "form") == .right)
        #expect(throttle.failures == 3)
        await throttle.delay()
        #expect(throttle.attempt(isRight: false, by: "form") == .wrong)
        #expect(throttle.attempt(isRight: false, by: "form") == .refused)
    }
}
