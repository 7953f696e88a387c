// SPDX-License-Identifier: Apache-2.0

import SystemSupport
import TestSupport
import Testing

struct CancellationSlotTests {
    @Test func `what is replaced is cancelled once, and so is what is set at the end or later`() {
        let (slot, cancelled) = (CancellationSlot(), Recorder<Int>())
        slot.set { cancelled.record(1) }
        #expect(cancelled.values == [])
        slot.set { cancelled.record(2) }
        #expect(cancelled.values == [1])
        slot.set(nil)
        slot.set { cancelled.record(3) }
        #expect(cancelled.values == [1, 2])
        slot.end()
        slot.end()
        #expect(cancelled.values == [1, 2, 3])
        slot.set { cancelled.record(4) }
        slot.set(nil)
        #expect(cancelled.values == [1, 2, 3, 4])
    }

    @Test func `a closure may use the slot that cancels it`() {
        let slot = CancellationSlot()
        slot.set { slot.set(nil) }
        slot.set { slot.end() }
        slot.end()
    }
}
