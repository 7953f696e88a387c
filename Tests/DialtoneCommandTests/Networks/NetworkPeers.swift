// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What a network is, what Dialtone concludes, and what other tools say: an entry of docs/networks.md.
struct NetworkPeers: Encodable, Sendable {
    private let network: String
    private let state: String
    private let fault: String?
    private let sentence: String?
    private let isRight: Bool
    private let peers: [String: String]

    /// The folder for the entries, if `make network-table` collects them.
    static let folder = ProcessInfo.processInfo.environment["DIALTONE_PEERS"]

    init(_ row: NetworkRow, _ observations: Observations, _ peers: [String: String]) {
        (network, isRight, self.peers) = (row.testDescription, row.isRight(observations), peers)
        let conclusion = isRight ? row.expected : observations.lines.first?.conclusion ?? row.expected
        (state, fault) = (row.expected.state, row.expected.fault)
        sentence = conclusion.sentence.map(NetworkRow.withoutFigures)
    }

    func write(at place: Int) throws {
        guard let folder = Self.folder else { return }
        try JSONEncoder().encode(self).write(to: URL(filePath: folder).appending(path: "\(place).json"))
    }

    /// Runs other tools in the network, with the variables of a row: curl uses its proxy.
    static func answers(in lab: ServedLab, environment: [String: String]) async throws -> [String: String] {
        let script = (0..<4).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }
            .appending(path: "Scripts/network-peers")
        let run = try await lab.run([], environment: environment, program: .init(path: script.path))
        _ = try await run.exitStatus(timeout: .seconds(120))
        let answers = run.output.values.map { $0.split(separator: "\t").map(String.init) }.filter { $0.count == 2 }
        return Dictionary(answers.map { ($0[0], $0[1]) }) { $1 }
    }
}
