// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// Networks whose only route to the Internet is a proxy.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile))
struct ProxyTests {
    /// The Internet is at an address that only the proxy can reach, and no name server answers.
    private func lab() async throws -> (ServedLab, ForwardingProxy, [String: String]) {
        let lab = try await ServedLab(resolver: "203.0.113.1", hidden: "198.51.100.1")
        try await lab.network.join()
        let proxy = try await lab.network.internet.run {
            try ForwardingProxy(on: "203.0.113.53", port: 3128, to: "198.51.100.1")
        }
        let url = "http://user:secret@203.0.113.53:3128"
        return (lab, proxy, ["http_proxy": url, "https_proxy": url])
    }

    @Test func `a network behind a proxy is online, and the evidence names the proxy`() async throws {
        let (lab, proxy, environment) = try await lab()
        let check = try await lab.run(["check", "--timeout", "30"] + ServedLab.endpoints, environment: environment)
        #expect(try await check.exitStatus(timeout: .seconds(120)) == 0, "\(check.output.values)")
        #expect(check.output.values.first?.hasPrefix("Online over up0 (wired Ethernet): ") == true)
        // The verdict does not wait for every endpoint.
        let passed = check.output.values.filter { $0.hasPrefix("  passed ") }
        #expect(passed.count >= 2)
        for line in passed {
            #expect(line.contains(", by proxy http://203.0.113.53:3128, "), "\(line)")
        }
        for command in ["check", "status", "doctor"] {
            let run = try await lab.run(
                [command, "--json", "--timeout", "30"] + ServedLab.endpoints, environment: environment)
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(command)")
            let line = try #require(run.output.values.first)
            #expect(line.contains(#""proxy":"http://203.0.113.53:3128""#), "\(line)")
            #expect(!line.contains("secret"))
        }
        let doctor = try await lab.run(["doctor", "--timeout", "30"] + ServedLab.endpoints, environment: environment)
        #expect(try await doctor.exitStatus(timeout: .seconds(120)) == 0)
        #expect(doctor.output.values.contains("  proxy      http://203.0.113.53:3128"), "\(doctor.output.values)")
        #expect(proxy.requests.values.contains { $0.hasPrefix("CONNECT one.check.test:443") })
        #expect(proxy.requests.values.contains { $0.hasPrefix("GET http://one.check.test/generate_204") })
    }

    @Test func `--proxy none and no_proxy bypass the proxy`() async throws {
        let (lab, proxy, environment) = try await lab()
        for (options, extra) in [
            (["--proxy", "none"], [:]), ([], ["no_proxy": "check.test"]), ([], ["DIALTONE_PROXY": "none"]),
        ] {
            let run = try await lab.run(
                ["check", "--timeout", "30"] + options + ServedLab.endpoints,
                environment: environment.merging(extra) { $1 })
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 3)
            #expect(run.output.values.first?.hasSuffix("DNS servers refuse queries (203.0.113.1).") == true)
        }
        #expect(proxy.requests.values.isEmpty)
    }

    @Test func `a proxy on the link needs no default route`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let proxy = try await lab.network.runInRouter {
            try ForwardingProxy(on: "192.0.2.1", port: 3128, to: "203.0.113.1")
        }
        var kernel = try RouteNetlink(in: lab.network.client)
        try kernel.deleteRoute(Self.defaultRoute)
        let commands = [
            ["check", "--timeout", "30"], ["status", "--timeout", "30"], ["doctor", "--timeout", "30"],
            ["wait", "--for", "internet", "--timeout", "60"],
        ]
        for command in commands {
            let run = try await lab.run(command + ServedLab.endpoints, environment: Self.linkProxy)
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(command): \(run.output.values)")
        }
        let run = try await lab.run(
            ["run", "--for", "internet", "--deadline", "60"] + ServedLab.endpoints + ["--", "echo", "done"],
            environment: Self.linkProxy)
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(run.errors.values)")
        #expect(run.output.values == ["done"])
        // A path is a route to the Internet of this machine's own.
        let wait = try await lab.run(["wait", "--for", "path", "--timeout", "5"], environment: Self.linkProxy)
        #expect(try await wait.exitStatus() == 124)
        #expect(wait.errors.values.last?.contains("no route to the Internet") == true, "\(wait.errors.values)")
        // Without the proxy the missing route is the cause.
        let direct = try await lab.run(["check", "--proxy", "none"] + ServedLab.endpoints)
        #expect(try await direct.exitStatus() == 1)
        #expect(
            direct.output.values == [
                "Offline. There is an address, but no route to the Internet: check that a gateway is set."
            ])
        withExtendedLifetime(proxy) {}
    }

    private static let defaultRoute = NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1))
    private static let linkProxy = ["http_proxy": "192.0.2.1:3128", "HTTPS_PROXY": "192.0.2.1:3128"]

    @Test(arguments: ["watch", "serve"])
    func `a monitor is online by the proxy alone, and offline as soon as the route to it is lost`(
        command: String
    ) async throws {
        // Only the proxy's own address has a route; the name server has none.
        let lab = try await ServedLab(resolver: "203.0.113.1", hidden: "198.51.100.1")
        try await lab.network.join()
        let proxy = try await lab.network.internet.run {
            try ForwardingProxy(on: "203.0.113.53", port: 3128, to: "198.51.100.1")
        }
        var kernel = try RouteNetlink(in: lab.network.client)
        let proxyRoute = NewRoute("203.0.113.53/32", via: NetworkAddress(192, 0, 2, 1))
        try kernel.addRoute(proxyRoute)
        try kernel.deleteRoute(Self.defaultRoute)
        let url = "http://203.0.113.53:3128"
        let data = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        let options =
            command == "watch"
            ? ["--json"] : ["--listen", "127.0.0.1:0", "--data-dir", data.path, "--log-level", "info"]
        let run = try await lab.run(
            [command, "--timeout", "30"] + options + ServedLab.endpoints,
            environment: ["http_proxy": url, "https_proxy": url])
        func next(_ state: String) async throws -> String {
            if command == "watch" {
                return try await run.output.next(timeout: .seconds(60)) { $0.contains(#""connectivity":"\#(state)""#) }
            }
            return try await run.errors.next(timeout: .seconds(60)) { $0.contains("state=\(state)") }
        }
        let first = try await next("online")
        if command == "watch" {
            let before = run.output.values.dropLast()
            #expect(before.allSatisfy { !$0.contains(#""connectivity":"offline""#) }, "\(before)")
            #expect(first.contains(#""proxy":"\#(url)""#) && first.contains(#""reason":"noRoute""#), "\(first)")
        }
        try kernel.deleteRoute(proxyRoute)
        _ = try await next("offline")
        try kernel.addRoute(proxyRoute)
        _ = try await next("online")
        try await lab.network.setCable(connected: false)
        _ = try await next("offline")
        // The kernel has deleted the routes' next hops with the carrier, but keeps the routes.
        try await lab.network.setCable(connected: true)
        _ = try await next("online")
        // The path replaces the proxy as the cause of being online.
        try kernel.addRoute(Self.defaultRoute)
        // That a check decides is no transition.
        if command == "watch" { _ = try await next("unverified") }
        _ = try await next("online")
        run.terminate()
        #expect(try await run.exitStatus() == 0)
        withExtendedLifetime(proxy) {}
    }

    @Test func `an endpoint on this machine's own link needs no path, for a check as for a monitor`() async throws {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        let server = try TestServer(in: namespace, port: 8080) { _ in .respond(status: 204, body: "") }
        let endpoint = ["--endpoint", "http://127.0.0.1:8080/", "--proxy", "none"]
        for command in [["check"], ["status"], ["wait", "--for", "internet"]] {
            let run = try await CommandRun.start(.dialtone, command + endpoint, in: namespace)
            #expect(try await run.exitStatus() == 0, "\(command): \(run.output.values) \(run.errors.values)")
        }
        let run = try await CommandRun.start(.dialtone, ["watch", "--json"] + endpoint, in: namespace)
        _ = try await run.output.next { $0.contains(#""connectivity":"online""#) }
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: false)
        }
        _ = try await run.output.next { $0.contains(#""connectivity":"offline""#) }
        run.terminate()
        withExtendedLifetime(server) {}
    }

    @Test func `watch names the proxy`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let proxy = try await lab.network.runInRouter {
            try ForwardingProxy(on: "192.0.2.1", port: 3128, to: "203.0.113.1")
        }
        var kernel = try RouteNetlink(in: lab.network.client)
        try kernel.deleteRoute(Self.defaultRoute)
        let watch = try await lab.run(["watch", "--timeout", "30"] + ServedLab.endpoints, environment: Self.linkProxy)
        _ = try await watch.output.next(timeout: .seconds(60)) {
            $0.hasSuffix("Online by proxy http://192.0.2.1:3128.")
        }
        let status = try await lab.run(
            ["status", "--timeout", "30"] + ServedLab.endpoints, environment: Self.linkProxy)
        #expect(try await status.exitStatus(timeout: .seconds(120)) == 0)
        #expect(status.output.values.first == "Online by proxy http://192.0.2.1:3128.", "\(status.output.values)")
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
        withExtendedLifetime(proxy) {}
    }

    @Test func `an unsupported proxy is reported`() async throws {
        let (lab, _, _) = try await lab()
        let run = try await lab.run(
            ["check", "--verbose"] + ServedLab.endpoints,
            environment: ["all_proxy": "socks5://user:secret@203.0.113.53:1080"])
        #expect(try await run.exitStatus() == 4)
        #expect(
            run.output.values.count { $0.contains("all_proxy is not an HTTP proxy, and no other is supported") } == 4)
        let sentence =
            "The Internet could not be checked because of the proxy: all_proxy is not an HTTP proxy, and no other is supported."
        #expect(run.output.values.first?.contains(sentence) == true)
        #expect(!run.output.values.joined().contains("secret"))
    }
}
