// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import Netlink
import StoredFacts
import TestSupport
import Testing

/// Every command reports the nearest cause with the same text, without waiting if it is already known.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile))
struct NearestCauseTests {
    private static let host = ServedLab.host

    /// The first line of a command's output.
    private func ask(_ lab: ServedLab, _ arguments: [String]) async throws -> String {
        let run = try await lab.run(arguments)
        _ = try await run.exitStatus(timeout: .seconds(120))
        return try #require(run.output.values.first, "\(run.errors.values)")
    }

    @Test func `without a carrier host reports that, and no name is asked for`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try await lab.network.setCable(connected: false)
        let commands = [
            ["check", "--interface", "wired"] + ServedLab.endpoints, ["host", Self.host, "--connect"],
            ["host", "203.0.113.1", "--connect"], ["host", "203.0.113.1"],
        ]
        for command in commands {
            let line = try await ask(lab, command)
            #expect(line.hasSuffix("No carrier on up0: is the cable in?"), "\(command): \(line)")
        }
        let json = try await ask(lab, ["check", "--json"] + ServedLab.endpoints)
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let internet = try #require(object["internet"] as? [String: Any])
        #expect(internet["verdict"] as? String == "noInternet")
        #expect(internet["reason"] as? String == "unreachable")
        #expect(internet["diagnosis"] as? String == "noCarrier")
        #expect(lab.names.questions.isEmpty)
    }

    @Test func `host reports name servers that refuse, and a redacted report has no address`() async throws {
        // There is a host at this address, but no name server.
        let lab = try await ServedLab(resolver: "203.0.113.1")
        try await lab.network.join()
        let host = try await ask(lab, ["host", Self.host, "--connect", "--timeout", "30"])
        #expect(host.hasSuffix("DNS servers refuse queries (203.0.113.1)."), "\(host)")
        // What others may see has no address of this network, and can be judged again.
        let json = try await ask(lab, ["check", "--json", "--redact", "--timeout", "30"] + ServedLab.endpoints)
        #expect(!json.contains("203.0.113.1") && json.contains("192.0.2.1"))
        let report = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let stored = try JSONSerialization.data(withJSONObject: #require(report["facts"]))
        let conclusion = Dialtone.Conclusion(try JSONDecoder().decode(Facts.self, from: stored))
        #expect(conclusion.cause == .dnsRefused && report["cause"] as? String == "dnsRefused")
        #expect(conclusion.reason == report["explanation"] as? String)
    }

    /// The table of networks compares what the other tools report.
    @Test func `wait and the history report the reason in the words of status`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        lab.names.play(.serverFailure)
        let options = ["--timeout", "30"] + ServedLab.endpoints
        let json = try await ask(lab, ["status", "--json"] + options)
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let sentence = try #require(object["explanation"] as? String)
        // It may report first that nothing is known yet.
        let wait = try await lab.run(["wait", "--for", "internet"] + options)
        _ = try await wait.errors.next { $0 == "dialtone: waiting for the Internet: " + sentence.dropLast() }
        wait.terminate()
        let data = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        let serve = try await lab.run(
            ["serve", "--listen", "127.0.0.1:0", "--data-dir", data.path, "--log-level", "info"] + options)
        _ = try await serve.errors.next { $0.contains("state=limited") }
        serve.terminate()
        #expect(try await serve.exitStatus() == 0, "\(serve.errors.values)")
        let history = ["history", "--since", "1h", "--data-dir", data.path]
        let recorded = try JSONSerialization.jsonObject(with: Data(try await ask(lab, history + ["--json"]).utf8))
        let outages = try #require((recorded as? [String: Any])?["outages"] as? [[String: Any]])
        #expect(outages.last?["reason"] as? String == sentence, "\(outages), \(serve.errors.values)")
        // The table has no advice.
        let table = try await lab.run(history + ["--outages"])
        #expect(try await table.exitStatus() == 0)
        let finding = sentence.prefix { $0 != ":" && $0 != "." }
        #expect(table.output.values.contains { $0.contains(finding) })
    }

    @Test func `a type of interface that this machine lacks is named`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let rows = [
            (["--interface", "wifi"], "This machine has no Wi-Fi interface"),
            (["--interface", "cellular"], "This machine has no cellular interface"),
            (["--interface", "other"], "This machine has no tunnel, nor an interface of another type"),
            (["--not", "wired"], "This machine has no interface of an allowed type"),
        ]
        var waits: [CommandRun] = []
        for (options, _) in rows { waits.append(try await lab.run(["wait", "--timeout", "5"] + options)) }
        for (options, sentence) in rows {
            for command in [["status"], ["status", "--passive"], ["check"]] {
                let endpoints = command.contains("--passive") ? [] : ServedLab.endpoints
                let line = try await ask(lab, command + options + endpoints)
                #expect(line == "Offline. \(sentence).", "\(command)")
            }
        }
        for (wait, (_, sentence)) in zip(waits, rows) {
            #expect(try await wait.exitStatus() == 124)
            #expect(wait.errors.values.last == "dialtone: timed out after 5 s: \(sentence)")
        }
    }

    @Test func `without a name server host reports that`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try lab.configureNames("")
        let host = try await lab.run(["host", Self.host, "--connect", "--timeout", "30"])
        #expect(try await host.exitStatus(timeout: .seconds(120)) == 1)
        #expect(host.output.values.first == "\(Self.host) is not reachable. No DNS server is configured.")
        #expect(host.output.values.dropFirst().first?.hasPrefix("  resolving  failed  ") == true)
    }

    @Test func `status names doctor only without a verdict`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let hint = "  hint      dialtone doctor shows where it fails"
        lab.internet.play(.init(https: .expired))
        let clock = try await lab.run(["status", "--timeout", "30"] + ServedLab.endpoints)
        #expect(try await clock.exitStatus() == 3)
        #expect(!clock.output.values.contains(hint), "\(clock.output.values)")
    }

    @Test func `an isolated network keeps working`() async throws {
        let (machine, other) = (try NetworkNamespace(), try NetworkNamespace())
        try await machine.connect("up0", to: other, as: "far0")
        try await machine.add(["192.0.2.2/24"], to: "up0")
        try await other.add(["192.0.2.1/24"], to: "far0")
        let internet = try await other.run { try ScriptedInternet(.online, address: "192.0.2.1", httpPort: 80) }
        let check = try await CommandRun.start(
            .dialtone, ["check", "--endpoint", "http://192.0.2.1/generate_204"], in: machine)
        #expect(try await check.exitStatus() == 0, "\(check.output.values)")
        let host = try await CommandRun.start(.dialtone, ["host", "192.0.2.1:80", "--connect"], in: machine)
        #expect(try await host.exitStatus() == 0, "\(host.output.values)")
        let far = try await CommandRun.start(.dialtone, ["host", "203.0.113.1:80", "--connect"], in: machine)
        #expect(try await far.exitStatus() == 1)
        let reason = "There is an address, but no route to the Internet: check that a gateway is set."
        #expect(far.output.values.first?.hasSuffix(reason) == true)
        withExtendedLifetime(internet) {}
    }
}
