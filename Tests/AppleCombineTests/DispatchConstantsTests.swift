// SPDX-License-Identifier: Apache-2.0

#if Publishers || canImport(Darwin)
import Combine
import Testing

struct DispatchConstantsTests {
    @Test func `a file that imports only Combine has Dispatch's constants`() {
        #expect(NSEC_PER_SEC == 1_000_000_000 && NSEC_PER_MSEC == 1_000_000)
        #expect(NSEC_PER_USEC == 1000 && USEC_PER_SEC == 1_000_000)
    }
}
#endif
