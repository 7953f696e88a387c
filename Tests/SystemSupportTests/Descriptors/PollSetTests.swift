// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SystemSupport

@Suite(.real, .timeLimit(.minutes(5)))
struct PollSetTests {
    @Test func `what is ready is found although the deadline has passed`() throws {
        let (near, far) = try Sockets.connectedPair()
        let past = TimeSource.system.now - .seconds(1)
        #expect(PollSet.wait(readable: [near.number], until: past, nil).outcome == .timedOut)
        _ = try Sockets.sendBytes(far, [1])
        let late = PollSet.wait(readable: [near.number], until: past, nil)
        #expect(late.outcome == .late && late.ready == [near.number])
        let wait = PollSet.wait(readable: [near.number], until: TimeSource.system.now + .seconds(3600), nil)
        #expect(wait.outcome == .ready && wait.ready == [near.number])
    }

    @Test func `an interrupt takes precedence`() throws {
        let (near, far) = try Sockets.connectedPair()
        _ = try Sockets.sendBytes(far, [1])
        let interrupt = try WakeEvent()
        interrupt.signal()
        #expect(
            PollSet.wait(readable: [near.number], until: TimeSource.system.now - .seconds(1), interrupt).outcome
                == .interrupted)
    }
}
