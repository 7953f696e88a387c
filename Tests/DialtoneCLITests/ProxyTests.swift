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
        try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
        for command in ["check", "status", "doctor"] {
            let run = try await lab.run(
                [command, "--timeout", "30"] + ServedLab.endpoints,
                environment: ["http_proxy": "192.0.2.1:3128", "HTTPS_PROXY": "192.0.2.1:3128"])
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(command): \(run.output.values)")
        }
        // Without the proxy the missing route is the cause.
        let run = try await lab.run(["check", "--proxy", "none"] + ServedLab.endpoints)
        #expect(try await run.exitStatus() == 1)
        #expect(
            run.output.values == [
                "Offline. There is an address, but no route to the Internet: check that a gateway is set."
            ])
        withExtendedLifetime(proxy) {}
    }

    @Test func `an unsupported proxy is reported`() async throws {
        let (lab, _, _) = try await lab()
        let run = try await lab.run(
            ["check"] + ServedLab.endpoints, environment: ["all_proxy": "socks5://user:secret@203.0.113.53:1080"])
        #expect(try await run.exitStatus() == 4)
        #expect(
            run.output.values.count { $0.contains("all_proxy is not an HTTP proxy, and no other is supported") } == 3)
        #expect(!run.output.values.joined().contains("secret"))
    }
}
