// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

/// The lines of `watch` on a terminal that is narrower than they are.
struct ChangeLineTests {
    @Test(.requires(.networkNamespaces), .requires(.terminals))
    func `on a narrow terminal no line is wider, and no word is cut`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await TerminalRun.start(
            .dialtone, ["watch", "--passive", "--verbose"], in: lab.namespace, environment: ["NO_COLOR": "1"],
            columns: 40)
        try await watch.wait(for: "IPv4")
        try lab.pullCable()
        let text = try await watch.wait(for: "gateways)")
        let lines = text.split(whereSeparator: \.isNewline).drop { $0.hasPrefix("Watching") }
        #expect(lines.allSatisfy { $0.count <= 40 }, "\(lines)")
        let rejoined = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(rejoined.contains("is the cable in? (changed: state, path, interfaces"), "\(rejoined)")
        watch.type("\u{3}")
        #expect(try await watch.exitStatus() == 0)
    }
}
