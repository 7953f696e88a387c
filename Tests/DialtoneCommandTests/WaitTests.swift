// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone wait`, run as a user runs it.
@Suite(.requires(.networkNamespaces))
struct WaitTests {
    @Test func `with a path it ends at once, without output`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        let run = try await CommandRun.start(.dialtone, ["wait"], in: lab.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.isEmpty && run.errors.values.isEmpty)
        withExtendedLifetime(lab) {}
    }

    @Test func `it can start before the link exists`() async throws {
        let (namespace, router) = (try NetworkNamespace(), try NetworkNamespace())
        let run = try await CommandRun.start(.dialtone, ["wait", "--interface", "late0"], in: namespace)
        #expect(try await run.errors.next().hasPrefix("dialtone: waiting for a path: "))
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.createLink(.veth(name: "late0", peer: "far0"))
            try kernel.setLink(kernel.link(named: "far0").index, namespace: router)
        }
        try await router.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(kernel.link(named: "far0").index, up: true)
        }
        try await namespace.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "late0").index
            try kernel.setLink(index, up: true)
            try kernel.addAddress(NetworkPrefix("192.0.2.2/24"), to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: index))
        }
        #expect(try await run.exitStatus() == 0)
        withExtendedLifetime(router) {}
    }

    @Test func `a timeout ends it with 124 and the reason, which is printed once before`() async throws {
        // Long enough for a busy machine to have read its network.
        let run = try await CommandRun.start(.dialtone, ["wait", "--timeout", "5"], in: NetworkNamespace())
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 124)
        let reason = "This machine has no network interface except loopback"
        #expect(
            run.errors.values == [
                "dialtone: waiting for a path: \(reason)", "dialtone: timed out after 5 s: \(reason)",
            ])
    }

    @Test(arguments: [
        ("host.example:99999", "99999"), ("-bad-.example", "'-bad-'"), ("user:secret@host.example", "user"),
    ]) func `an invalid target is reported with the reason, without a secret`(target: String, words: String)
        async throws
    {
        for command in [["wait", "--timeout", "1"], ["run", "--deadline", "1"]] {
            let last = command[0] == "run" ? ["--", "true"] : []
            let run = try await CommandRun.start(
                .dialtone, command + ["--for=\(target)"] + last, in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            let error = run.errors.values.first ?? ""
            #expect(error.contains("--for: ") && error.contains(words) && !error.contains("secret"), "\(error)")
        }
    }

    @Test func `the target internet is not a host`() async throws {
        let run = try await CommandRun.start(
            .dialtone, ["wait", "--for", "Internet"], in: NetworkNamespace())
        _ = try await run.errors.next { $0.hasPrefix("dialtone: waiting for the Internet: ") }
        run.terminate()
        #expect(try await run.exitStatus() == 128 + SIGTERM)
    }

    @Test func `an option lowers a quorum that was set for more endpoints`() async throws {
        let arguments = ["wait", "--for", "internet", "--timeout", "0.5", "--endpoint", "http://192.0.2.1/"]
        let set = ["DIALTONE_QUORUM": "2"]
        let refused = try await CommandRun.start(.dialtone, arguments, in: NetworkNamespace(), environment: set)
        #expect(try await refused.exitStatus() == 64)
        let run = try await CommandRun.start(
            .dialtone, arguments + ["--quorum", "1"], in: NetworkNamespace(), environment: set)
        #expect(try await run.exitStatus() == 124)
    }

    @Test func `with --quiet nothing is printed`() async throws {
        let run = try await CommandRun.start(
            .dialtone, ["wait", "--quiet", "--timeout", "0.1"], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 124)
        #expect(run.output.values.isEmpty && run.errors.values.isEmpty)
    }

    @Test func `a wait for a host ends when it accepts connections`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        let run = try await CommandRun.start(.dialtone, ["wait", "--for", "203.0.113.1:80"], in: lab.client)
        let line = try await run.errors.next()
        #expect(
            line.hasPrefix(
                "dialtone: waiting for 203.0.113.1:80: Connection refused: the host is there, but nothing listens"))
        let server = try TestServer(in: lab.internet) { _ in .hangUp }
        #expect(try await run.exitStatus() == 0)
        withExtendedLifetime((lab, server)) {}
    }

    @Test func `a host on this machine needs no path, only its link and a listener`() async throws {
        let namespace = try NetworkNamespace()
        let run = try await CommandRun.start(.dialtone, ["wait", "--for", "127.0.0.1:80"], in: namespace)
        let line = try await run.errors.next()
        #expect(
            line.hasPrefix("dialtone: waiting for 127.0.0.1:80: This machine has no network interface except loopback"))
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let server = try TestServer(in: namespace) { _ in .hangUp }
        #expect(try await run.exitStatus() == 0)
        withExtendedLifetime(server) {}
    }

    @Test(.requires(.ownResolverFile)) func `a wait for the Internet ends after a login`() async throws {
        let lab = try await ServedLab(.portal(.redirect))
        try await lab.network.join()
        let run = try await lab.run(["wait", "--for", "internet"] + ServedLab.endpoints)
        _ = try await run.errors.next { $0.contains("requires a login") }
        lab.internet.play(.online)
        #expect(try await run.exitStatus() == 0)
    }

    @Test(
        .requires(.ownResolverFile),
        arguments: [
            // Refused before the first check can time out; silent, until the router reports that there is no such host.
            ("203.0.113.1", ["DNS servers refuse queries (203.0.113.1)"]),
            (
                "203.0.113.99",
                [
                    "DNS servers do not answer (203.0.113.99)", "No answer within ",
                    "DNS servers cannot be reached (203.0.113.99)",
                ]
            ),
        ])
    func `a timeout has the reason why the Internet did not answer`(resolver: String, reasons: [String]) async throws {
        let lab = try await ServedLab(resolver: resolver)
        // Without the kernel's limit on ICMP errors, every query is refused.
        try await lab.network.internet.run { try Setting.write("ipv4/icmp_ratelimit", 0) }
        try await lab.network.join()
        let wait = try await lab.run(["wait", "--for", "internet", "--timeout", "8"] + ServedLab.endpoints)
        let run = try await lab.run(
            ["run", "--for", "internet", "--deadline", "8"] + ServedLab.endpoints + ["--", "true"])
        for run in [wait, run] {
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 124)
            let error = run.errors.values.last
            #expect(
                reasons.contains { error?.hasPrefix("dialtone: timed out after 8 s: \($0)") == true },
                "\(run.errors.values)")
        }
    }

    @Test(.requires(.ownResolverFile)) func `a path without a DNS server is reported, and what waits for more`()
        async throws
    {
        let lab = try await ServedLab(resolver: "")
        try await lab.network.join()
        let note =
            "dialtone: there is a path, but no DNS server is configured; --for internet waits until the Internet is verified"
        let wait = try await lab.run(["wait"])
        #expect(try await wait.exitStatus() == 0)
        #expect(wait.errors.values == [note])
        let run = try await lab.run(["run", "--max-attempts", "2", "--retry-on", "7", "--", "/bin/sh", "-c", "exit 7"])
        #expect(try await run.exitStatus() == 7)
        #expect(run.errors.values.count { $0 == note } == 1, "\(run.errors.values)")
        let quiet = try await lab.run(["run", "--quiet", "--", "true"])
        #expect(try await quiet.exitStatus() == 0)
        #expect(quiet.errors.values.isEmpty)
        #expect(lab.internet.connections == 0)
    }

    @Test(arguments: ["wait", "run"]) func `the help says what is waited for`(command: String) async throws {
        let run = try await CommandRun.start(.dialtone, [command, "--help"], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 0)
        let text = run.output.values.joined(separator: " ")
        #expect(text.contains("By default it waits for a path") && text.contains("--for internet waits until"))
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends it as any other command`(number: Int32) async throws {
        let run = try await CommandRun.start(.dialtone, ["wait"], in: NetworkNamespace())
        _ = try await run.errors.next()
        kill(run.identifier, number)
        #expect(try await run.exitStatus() == 128 + number)
    }

    @Test(arguments: [
        ["--for", "example.com", "--interface", "wlan0"], ["--for", "example.com", "--not", "wifi"],
        ["--timeout", "0"], ["--timeout", "-1"], ["--timeout", "soon"], ["--timeout", "nan"], ["--timeout", "1e30"],
        ["--for", ""], ["--for", "a b"], ["--for", "host:0"], ["--for", "host:99999"], ["--endpoint", "http://x/"],
        ["--for", "internet", "--endpoint", "ftp://x/"],
    ])
    func `wrong usage exits with 64`(arguments: [String]) async throws {
        let run = try await CommandRun.start(.dialtone, ["wait"] + arguments, in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(!run.errors.values.isEmpty)
    }
}
