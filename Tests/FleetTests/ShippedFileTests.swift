// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// The shipped files, checked by the programs that use them.
struct ShippedFileTests {
    @Test(
        .requires(.program("promtool")),
        arguments: [
            ["check", "config", "prometheus.yml"], ["check", "rules", "dialtone.rules.yml"],
            ["test", "rules", "dialtone.rules.test.yml"],
        ]) func `promtool accepts the rules and the configuration`(arguments: [String]) async throws
    {
        let file = FleetFile.url("prometheus").appending(path: arguments[2]).path
        let outcome = try await Tool.run("promtool", arguments[0], arguments[1], file)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(!outcome.text.contains("FAILED"), "\(outcome.text)")
    }

    @Test(.requires(.program("vmalert"))) func `vmalert accepts the rules`() async throws {
        let file = FleetFile.url("prometheus/dialtone.rules.yml").path
        let outcome = try await Tool.run("vmalert", "-dryRun", "-rule=\(file)")
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test(arguments: ["prometheus/dialtone.rules.yml", "grafana/dialtone.json"])
    func `every file refers only to metrics on the page`(path: String) throws {
        let page = MetricsPageTests.snapshot.page
        let names = try FleetFile.text(path).matches(of: /dialtone_[a-z_]+/).map { String($0.output) }
        #expect(names.count > 5)
        for name in Set(names) { #expect(page.contains("\n\(name)"), "\(name)") }
    }

    @Test func `the dashboard is valid`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: FleetFile.url("grafana/dialtone.json")))
        let dashboard = try #require(object as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        for panel in panels {
            #expect((panel["title"] as? String)?.isEmpty == false)
            let targets = try #require(panel["targets"] as? [[String: Any]])
            for target in targets { #expect((target["expr"] as? String)?.isEmpty == false) }
        }
    }

    @Test(.requires(.program("promtool"))) func `Prometheus accepts every query of the shipped dashboard`() async throws
    {
        let questions = try FleetFile.dashboardQueries()
        // They are parsed as rules.
        let rules = questions.enumerated().map { index, question in
            "      - record: question:\(index)\n        expr: |\n          \(question)\n"
        }
        let place = try Workplace()
        let file = try place.write(
            "groups:\n  - name: questions\n    rules:\n" + rules.joined(), "questions.yml")
        let outcome = try await Tool.run("promtool", "check", "rules", file)
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(questions.count > 8)
    }

    @Test(
        .requires(.program("systemd-analyze")),
        arguments: [
            ("../Packaging/systemd/dialtone.service", "/usr/local/bin/dialtone"),
            ("vmagent/vmagent.service", "/usr/bin/vmagent"),
        ]) func `systemd accepts the units and rates them safe`(path: String, program: String) async throws
    {
        let place = try Workplace()
        let stub = try place.write("#!/bin/sh\n", "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
        let unit = try FleetFile.text(path).replacing(program, with: stub)
        let name = URL(filePath: path).lastPathComponent
        let file = try place.write(unit, name)
        let verified = try await Tool.run("systemd-analyze", "verify", "--man=no", file)
        #expect(verified.status == 0, "\(verified.text)")
        #expect(!verified.text.contains("\(name):"), "\(verified.text)")
        // In tenths: 20 of 100 is well below the level that systemd calls exposed.
        let security = try await Tool.run("systemd-analyze", "security", "--offline=true", "--threshold=20", file)
        #expect(security.status == 0, "\(security.text)")
    }
}
