// SPDX-License-Identifier: Apache-2.0

// The least that a command like `dialtone watch` takes in Swift: six options are parsed, one value is encoded as JSON, and a
// task waits. It watches nothing.

import ArgumentParser
import ContenderLine
import FoundationEssentials

@main
struct OptionsContender: AsyncParsableCommand {
    @Flag var json = false
    @Flag var passive = false
    @Option var interface: String?
    @Option var not: String?
    @Option var timeout: Double?
    @Option var count: Int?

    private struct State: Encodable {
        let time: Date
        let page: URL?
        let interfaces: [String]
    }

    func run() async throws {
        let state = State(time: .now, page: URL(string: "http://192.0.2.1/login"), interfaces: ["eth0"])
        let text = try JSONEncoder().encode(state)
        line_write_path(line_now(), true, !text.isEmpty)
        try await Task.sleep(for: .seconds(3600))
    }
}
