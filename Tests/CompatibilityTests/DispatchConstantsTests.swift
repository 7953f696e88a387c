// SPDX-License-Identifier: Apache-2.0

import DialtoneCombine
import OpenNetwork
import OpenSystemConfiguration
import Testing

struct DispatchConstantsTests {
    @Test func `a file that imports all of Apple's names finds one declaration of each constant`() {
        #expect(2 * NSEC_PER_SEC == 2000 * NSEC_PER_MSEC)
    }
}
