//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import Testing

@testable import NetworkState

/// What tells of sleeps.
///
/// That the kernel really does cannot be shown where nobody may set the clock.
struct ClockTimerTests {
    @Test func `the kernel is asked to tell when the wall clock jumps`() throws {
        let timer = try #require(ClockTimer())
        let facts = try String(contentsOfFile: "/proc/self/fdinfo/\(timer.number)", encoding: .utf8)
        // CLOCK_REALTIME; TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET; nothing has happened.
        #expect(facts.contains("clockid: 0\n"), "\(facts)")
        #expect(facts.contains("settime flags: 03\n"), "\(facts)")
        #expect(facts.contains("ticks: 0\n"), "\(facts)")
    }

    @Test func `it is readable once its time has come, and not any more once cleared`() throws {
        let timer = try #require(ClockTimer(at: 1))
        var waited = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 60_000) == 1)
        timer.clear()
        #expect(poll(&waited, 1, 0) == 0)
    }

    @Test func `one that waits for the end of time is not readable`() throws {
        let timer = try #require(ClockTimer())
        var waited = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waited, 1, 0) == 0)
    }
}
#endif
