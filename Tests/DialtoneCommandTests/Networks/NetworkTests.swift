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
        try await row.prove()
    }
}

/// Networks with kinds of links that many kernels lack; the lab's guest has them (`make lab`).
@Suite(
    .requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .atOnce(1),
    .timeLimit(.minutes(10)))
struct LinkKindTests {
    @Test(
        .requires(.linkKind("wireguard")), .requires(.program("/usr/bin/wg")),
        arguments: NetworkTable.selected(NetworkRow.wireGuard))
    func `every tool knows whose fault it is in a network with WireGuard`(row: NetworkRow) async throws {
        try await row.prove()
    }

    @Test(
        .requires(.pppoe), .requires(.program("/usr/sbin/pppd")),
        arguments: NetworkTable.selected(NetworkRow.pppoe))
    func `every tool knows whose fault it is in a network with PPPoE`(row: NetworkRow) async throws {
        try await row.prove()
    }
}

extension NetworkRow {
    /// Runs the tools, and requires that what they conclude is right.
    fileprivate func prove() async throws {
        let rows = Self.all + Self.wireGuard + Self.pppoe
        let place = rows.firstIndex { $0.testDescription == testDescription } ?? 0
        let isCheckOnly = NetworkTable.facts != nil || NetworkPeers.folder != nil && breaks == nil
        let tools = isCheckOnly ? [.json("check")] : NetworkTable.tools(tools, at: place)
        let result = await Result { try await observe(with: tools) }
        let table = table(result)
        try NetworkTable.write(table, at: 1000 + place)
        let observations = try result.get()
        try NetworkPeers(self, observations, observations.peers).write(at: place)
        #expect(isRight(observations), "\(table)")
        guard isRight(observations), let report = observations.lines.compactMap(\.report).first else { return }
        try NetworkTable.writeFacts(of: report, testDescription, at: place)
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
