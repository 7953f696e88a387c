// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Requests in networks made on the wire: each tool ends them with the right code and sentence, or waits.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .timeLimit(.minutes(10)))
struct RequestTests {
    @Test(arguments: NetworkTable.rows(RequestRow.all, everyTime: RequestRow.everyTime))
    func `a request ends as the network explains, or waits`(row: RequestRow) async throws {
        let place = RequestRow.all.firstIndex { $0.testDescription == row.testDescription } ?? 0
        let tools = NetworkTable.tools(RequestTool.built, at: place)
        let result = await Result { try await row.observe(with: tools) }
        let table = row.table(result, of: tools)
        try NetworkTable.write(table, at: 2000 + place)
        #expect(try result.get().allSatisfy { row.accepts($0, $1.ending) }, "\(table)")
    }
}
