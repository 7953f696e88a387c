// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import DialtoneCommand

/// The lines of `watch` on terminals that are narrower than they are.
struct ChangeLineTests {
    @Test(arguments: [
        ("12:00  Offline.  (changed: state, path)", 80, "12:00  Offline.  (changed: state, path)"),
        ("12:00  Offline.  (changed: state, path)", 39, "12:00  Offline.  (changed: state, path)"),
        ("12:00  Offline.  (changed: state, path)", 38, "12:00  Offline.  (changed: state,\n       path)"),
        (
            "12:00  Offline.  (changed: state, path)", 16,
            "12:00  Offline.\n       (changed:\n       state,\n       path)"
        ),
        // A word that is longer than the line.
        ("12:00  http://login.example.net/", 20, "12:00\n       http://login.example.net/"),
        // Colors have no width.
        (
            "\u{1B}[2m12:00\u{1B}[0m  \u{1B}[31mOffline.\u{1B}[0m", 15,
            "\u{1B}[2m12:00\u{1B}[0m  \u{1B}[31mOffline.\u{1B}[0m"
        ),
        ("", 10, ""), ("word", 0, "word"),
    ])
    func `lines break between words`(text: String, width: Int, expected: String) {
        #expect(text.wrapped(to: width, indent: 7) == expected)
    }

    @Test(.requires(.networkNamespaces), .requires(.terminals))
    func `on a narrow terminal no line is wider, and no word is cut`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let watch = try await TerminalRun.start(
            .dialtone, ["watch", "--passive"], in: lab.namespace, environment: ["NO_COLOR": "1"], columns: 40)
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
