// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import SystemSupport
import TestSupport
import Testing

/// The timer that detects sleep and clock changes.
///
/// Whether the kernel really reports them cannot be tested without permission to set the clock.
@Suite(.real)
struct ClockTimerTests {
    @Test func `the kernel is set up to report jumps of the wall clock`() throws {
        let timer = try #require(ClockTimer())
        let facts = try String(contentsOfFile: "/proc/self/fdinfo/\(timer.number)", encoding: .utf8)
        // CLOCK_REALTIME; TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET; no expiration so far.
        #expect(facts.contains("clockid: 0\n"), "\(facts)")
        #expect(facts.contains("settime flags: 03\n"), "\(facts)")
        #expect(facts.contains("ticks: 0\n"), "\(facts)")
    }

    @Test func `it is readable at its deadline, and not after it is cleared`() throws {
        let timer = try #require(ClockTimer(at: 1))
        var waited = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 60_000) == 1)
        timer.clear()
        #expect(poll(&waited, 1, 0) == 0)
    }

    @Test func `a timer without a deadline is not readable`() throws {
        let timer = try #require(ClockTimer())
        var waited = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 0) == 0)
    }
}
#endif
