// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// axe-core's rules over the page and the report, with everything unfolded: `Scripts/setup axe` gets it.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .requires(.axe), .serialized, .timeLimit(.minutes(10)))
struct AxeTests {
    /// Runs all rules on the open page at two widths, in light and dark.
    private static func audit(_ tab: Tab, _ name: String) async throws {
        let axe = try String(contentsOf: Capability.axeFile, encoding: .utf8)
        _ = try await tab.call("Runtime.evaluate", ["expression": axe])
        for width in [1280, 390] {
            for isDark in [false, true] {
                try await tab.show(width: width, isDark: isDark)
                // An update of the page may fold something again.
                try await tab.evaluate("[...document.querySelectorAll('details')].forEach(e => e.open = true)")
                let found = try await tab.evaluate(
                    """
                    axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations.map(
                      rule => rule.id + ': ' + rule.nodes.map(node => node.html.slice(0, 120)).join(', ')).join('; '))
                    """)
                #expect(found == "", "\(name), \(width), dark \(isDark): \(found)")
            }
        }
    }

    @Test func `axe-core finds nothing on the page on the first day, in an outage, and after 90 days`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (first, firstServing) = try await lab.open()
        try await first.waitForVerdict("Online")
        try await Self.audit(first, "first day")
        firstServing.command.terminate()
        let (tab, serving) = try await lab.openDemo()
        try await tab.waitForVerdict("Online")
        for (scene, verdict) in [
            ("dead-uplink", "No Internet"), ("offline", "Offline"), ("portal", "Login required"),
        ] {
            try serving.play(scene)
            try await tab.waitForVerdict(verdict)
            try await Self.audit(tab, scene)
        }
        for window in ["90 days", "Day"] {
            try await tab.follow(window)
            try await tab.wait("document.querySelector('.windows [aria-current]').textContent === '\(window)'")
            try await Self.audit(tab, window)
        }
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `axe-core finds nothing in a report of 60 outages`() async throws {
        let lab = try await ServeLab()
        let browser = try await Browser.start(in: lab.network.client)
        let file = FileManager.default.temporaryDirectory.appending(path: "dialtone-report-\(UUID().uuidString).html")
        try ReportPrintTests.sheet(.english).text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let tab = try await Tab(browser, file.absoluteString)
        try await tab.wait("document.querySelectorAll('.outage').length === 60")
        try await Self.audit(tab, "report")
    }
}

extension Capability {
    /// axe-core, from a package of PyPI.
    static let axeFile = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: ".build/axe.min.js")
    static let axe = Capability("axe-core") {
        guard FileManager.default.fileExists(atPath: axeFile.path) else {
            throw Browser.Trouble(description: "there is no .build/axe.min.js: run Scripts/setup axe")
        }
    }
}
#endif
