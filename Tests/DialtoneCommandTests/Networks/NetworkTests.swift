// SPDX-License-Identifier: Apache-2.0

import NetworkModel
import TestSupport
import Testing

/// Networks made on the wire: in each, every tool concludes the same, and what is true.
///
/// Each network runs eight tools at once, and answers that are late because the machine is busy are not the truth.
@Suite(
    .requires(.networkNamespaces), .requires(.tunnels), .requires(.ownResolverFile), .atOnce(2),
    .timeLimit(.minutes(10)))
struct NetworkTests {
    @Test(arguments: NetworkTable.rows(NetworkRow.all, everyTime: NetworkRow.everyTime))
    func `every tool draws the same conclusion, and it is true`(row: NetworkRow) async throws {
        let result = await Result { try await row.observe() }
        let table = row.table(result)
        let place = NetworkRow.all.firstIndex { $0.testDescription == row.testDescription } ?? 0
        try NetworkTable.write(table, at: 1000 + place)
        #expect(try result.get().lines.allSatisfy(row.accepts), "\(table)")
        #expect(try result.get().repetitions.isEmpty)
    }

    @Test func `while all is well, only operators and the name server are contacted`() async throws {
        let lab = try await FaultLab()
        try await lab.join()
        let contacted = Recorder<NetworkAddress>()
        lab.wires.lan.play { packet in
            if packet.isOutward, !packet.isNeighborDiscovery, let destination = packet.destination,
                !destination.isMulticast
            {
                contacted.record(destination)
            }
            return .pass
        }
        for command in ["status", "check"] {
            #expect(try await lab.served.run([command]).exitStatus() == 0)
        }
        let operators = FaultLab.hosts.values.flatMap { ["203.0.113.\($0)", "2001:db8:2::\($0)"] }
        let allowed = Set((operators + ["203.0.113.53"]).compactMap { NetworkAddress($0) })
        #expect(!contacted.values.isEmpty)
        #expect(Set(contacted.values).subtracting(allowed) == [])
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
