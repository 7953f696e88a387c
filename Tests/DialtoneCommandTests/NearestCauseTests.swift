// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import Netlink
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

    @Test func `without a carrier every command reports that at once`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try await lab.network.setCable(connected: false)
        let commands = [
            ["status"] + ServedLab.endpoints, ["check"] + ServedLab.endpoints, ["doctor"] + ServedLab.endpoints,
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
        // It takes a few milliseconds; the limit is for a busy machine.
        #expect(try #require(internet["milliseconds"] as? Double) < 10_000)
        #expect(lab.names.questions.isEmpty)
    }

    @Test func `every command reports name servers that refuse`() async throws {
        // There is a host at this address, but no name server.
        let lab = try await ServedLab(resolver: "203.0.113.1")
        try await lab.network.join()
        for command in ["status", "check"] {
            let line = try await ask(lab, [command, "--timeout", "30"] + ServedLab.endpoints)
            #expect(line.hasSuffix("DNS servers refuse queries (203.0.113.1)."), "\(line)")
        }
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

    /// A fault on the wire, and the state that follows.
    enum Fault: String, CaseIterable {
        case noCarrier, noRoute, refusingDNS, failingDNS, portal, httpOnly, refusing, deadProxy

        var state: String {
            switch self {
            case .noCarrier, .noRoute: "offline"
            case .portal: "captivePortal"
            default: "limited"
            }
        }

        /// The servers of the network with the fault, once it is there.
        func lab() async throws -> ServedLab {
            let behavior: ScriptedInternet.Behavior =
                switch self {
                case .portal: .portal(.redirect)
                case .httpOnly: .init(https: .closed)
                case .refusing: .refusing
                default: .online
                }
            let lab = try await ServedLab(behavior, resolver: self == .refusingDNS ? "203.0.113.1" : "203.0.113.53")
            try await lab.network.join()
            if self == .failingDNS { lab.names.play(.serverFailure) }
            if self == .noRoute {
                var kernel = try RouteNetlink(in: lab.network.client)
                try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
            }
            if self == .noCarrier { try await lab.network.setCable(connected: false) }
            return lab
        }

        /// Nothing listens on the port of the proxy, which has a route.
        var environment: [String: String] {
            self == .deadProxy ? ["http_proxy": "203.0.113.1:3128", "https_proxy": "203.0.113.1:3128"] : [:]
        }
    }

    @Test(arguments: Fault.allCases) func `every tool reports the reason in the same words`(fault: Fault) async throws {
        let (lab, environment) = (try await fault.lab(), fault.environment)
        let options = ["--timeout", "30"] + ServedLab.endpoints
        func lines(_ arguments: [String]) async throws -> (output: [String], errors: [String]) {
            let run = try await lab.run(arguments, environment: environment)
            _ = try await run.exitStatus(timeout: .seconds(120))
            return (run.output.values, run.errors.values)
        }
        let json = try #require(try await lines(["status", "--json"] + options).output.first)
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["connectivity"] as? String == fault.state)
        let sentence = try #require(object["explanation"] as? String)
        // In the text a portal's address follows.
        let words = fault == .portal ? String(sentence.dropLast()) : sentence
        for command in ["status", "check"] {
            let line = try #require(try await lines([command] + options).output.first)
            #expect(line.contains(". " + words), "\(command): \(line)")
        }
        let doctor = try await lines(["doctor"] + options).output
        #expect(doctor.contains { $0.contains(words) }, "\(doctor)")

        // These two follow the network, so they may report first that nothing is known yet.
        let watch = try await lab.run(["watch"] + options, environment: environment)
        _ = try await watch.output.next(timeout: .seconds(60)) { $0.contains(". " + words) }
        watch.terminate()
        let wait = try await lab.run(["wait", "--for", "internet"] + options, environment: environment)
        _ = try await wait.errors.next(timeout: .seconds(60)) {
            $0 == "dialtone: waiting for the Internet: "
                + (sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])
        }
        wait.terminate()

        let data = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        let serve = try await lab.run(
            ["serve", "--listen", "127.0.0.1:0", "--data-dir", data.path, "--log-level", "info"] + options,
            environment: environment)
        let entry = try await serve.errors.next(timeout: .seconds(60)) { $0.contains("state=\(fault.state)") }
        #expect(entry.contains("reason=\"\(sentence)\""), "\(entry)")
        serve.terminate()
        #expect(try await serve.exitStatus(timeout: .seconds(60)) == 0, "\(serve.errors.values)")
        let history = ["history", "--since", "1h", "--data-dir", data.path]
        let recorded = try JSONSerialization.jsonObject(
            with: Data(try await lines(history + ["--json"]).output.joined().utf8))
        let outages = try #require((recorded as? [String: Any])?["outages"] as? [[String: Any]])
        #expect(outages.last?["reason"] as? String == sentence, "\(outages), \(serve.errors.values)")
        // The table has no advice.
        let finding = sentence.prefix { $0 != ":" && $0 != "." }
        #expect(try await lines(history + ["--outages"]).output.contains { $0.contains(finding) })
        withExtendedLifetime(lab) {}
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

    @Test func `without a name server every command reports that`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try lab.configureNames("")
        for command in ["status", "check"] {
            let line = try await ask(lab, [command, "--timeout", "30"] + ServedLab.endpoints)
            #expect(line.hasSuffix(" No DNS server is configured."), "\(line)")
        }
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
