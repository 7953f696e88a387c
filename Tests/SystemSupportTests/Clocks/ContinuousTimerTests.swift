// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SystemSupport

/// The timer that wakes a monitor.
@Suite(.real)
struct ContinuousTimerTests {
    @Test(arguments: [Duration.zero, .seconds(-5), .milliseconds(5)])
    func `a timer calls once`(wait: Duration) async throws {
        let calls = Recorder<Bool>()
        let start = TimeSource.system.now
        let cancel = ContinuousTimer.call(after: wait) { calls.record(true) }
        #expect(try await calls.next())
        #expect(TimeSource.system.now - start >= wait)
        cancel()
        #expect(calls.values == [true])
    }

    @Test func `a cancelled timer never calls, and one beyond the clock's range keeps waiting`() async throws {
        let calls = Recorder<Int>()
        let cancel = ContinuousTimer.call(after: .seconds(2)) { calls.record(1) }
        cancel()
        let far = ContinuousTimer.call(after: .seconds(Int64.max)) { calls.record(2) }
        defer { far() }
        _ = ContinuousTimer.call(after: .seconds(2.1)) { calls.record(3) }
        #expect(try await calls.next() == 3)
        #expect(calls.values == [3])
    }
}
