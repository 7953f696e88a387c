// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct VisitorsTests {
    @Test func `the latest 16 rejected hosts are kept`() {
        let visitors = Visitors()
        let words = (0..<17).map { visitors.keep(RejectedHost(text: "\($0)", problem: "")) }
        #expect(
            words.map { visitors.rejectedHost($0)?.text } == [nil] + (1..<17).map { "\($0)" })
    }
}
