// SPDX-License-Identifier: Apache-2.0

import NetworkModel
import TestSupport
import Testing

/// Networks made on the wire: in each, every tool concludes the same, and what is true.
///
/// Each network runs all its tools at once, and answers that are late because the machine is busy are not the truth.
@Suite(
    .requires(.networkNamespaces), .requires(.tunnels), .requires(.firewall), .requires(.ownResolverFile),
    .atOnce(NetworkTable.hasOneTool ? 8 : 2), .timeLimit(.minutes(10)))
struct NetworkTests {
    @Test(arguments: NetworkTable.rows(NetworkRow.all, everyTime: NetworkRow.everyTime))
    func `every tool draws the same conclusion, and it is true`(row: NetworkRow) async throws {
        let place = NetworkRow.all.firstIndex { $0.testDescription == row.testDescription } ?? 0
        let isCheckOnly = NetworkTable.facts != nil || NetworkPeers.folder != nil && row.breaks == nil
        let tools = isCheckOnly ? [.json("check")] : NetworkTable.tools(row.tools, at: place)
        let result = await Result { try await row.observe(with: tools) }
        let table = row.table(result)
        try NetworkTable.write(table, at: 1000 + place)
        let observations = try result.get()
        try NetworkPeers(row, observations, observations.peers).write(at: place)
        #expect(row.isRight(observations), "\(table)")
        guard row.isRight(observations), let report = observations.lines.compactMap(\.report).first else { return }
        try NetworkTable.writeFacts(of: report, row.testDescription, at: place)
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
