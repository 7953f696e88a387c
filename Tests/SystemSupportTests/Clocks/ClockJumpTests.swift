// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite(.real)
struct ClockJumpTests {
    @Test func `each clock jump is reported once, until cancelled`() async throws {
        let calls = Recorder<Int>()
        // The timer expired long ago, which looks like a clock jump to a reader.
        let timer = try #require(ClockTimer(at: 1))
        let cancel = ClockJumps.watch(timer) { calls.record(0) }
        _ = try await calls.next()
        cancel()
        cancel()
        // The calls of all timers come one after the other.
        let later = try #require(ClockTimer(at: 1))
        let cancelLater = ClockJumps.watch(later) { calls.record(1) }
        _ = try await calls.next { $0 == 1 }
        cancelLater()
        #expect(calls.values == [0, 1])
    }

    /// In a process of its own, because the monitors of other tests have such timers, too.
    @Test func `the system time watches for jumps only while a monitor watches`() async {
        await #expect(processExitsWith: .success) {
            let cancels = (0..<50).map { _ in TimeSource.system.whenClocksJump {} }
            #expect(ClockJumpTests.clockTimers() == 50)
            for cancel in cancels { cancel() }
            // Dispatch sources close their descriptors once they have released them.
            try await eventually { ClockJumpTests.clockTimers() == 0 }
        }
    }

    private static func clockTimers() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
        return names.count { name in
            (try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8))?.contains("settime flags: 03")
                == true
        }
    }
}
#endif
