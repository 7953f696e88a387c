// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone host`, run as a user runs it.
@Suite(.requires(.networkNamespaces))
struct HostTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1 is this machine itself."), ("[::1]:443", "[::1]:443 is this machine itself."),
        ("localhost", "localhost is this machine itself."),
        ("192.0.2.77", "192.0.2.77 should be reachable: there is a route."),
        ("198.51.100.1:80", "198.51.100.1:80 should be reachable: there is a route."),
        ("name.example", "name.example should be reachable: there is a route."),
        ("EXAMPLE.com.", "example.com should be reachable: there is a route."),
        ("https://XN--BCHER-KVA.example/", "xn--bcher-kva.example:443 should be reachable: there is a route."),
    ])
    func `a host with a route should be reachable, with status 0`(host: String, headline: String) async throws {
        let lab = try Uplink()
        try await lab.connect()
        try switchLoopbackOn(in: lab.namespace)
        let run = try await CommandRun.start(.dialtone, ["host", host], in: lab.namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.first == headline)
        #expect(run.errors.values.isEmpty)
    }

    @Test(arguments: ["192.0.2.77", "2001:db8::1", "name.example"])
    func `without a network the reason is printed, with status 1`(host: String) async throws {
        let run = try await CommandRun.start(.dialtone, ["host", host], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 1)
        #expect(
            run.output.values.first
                == "\(host) is not reachable. This machine has no network interface except loopback.")
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func `--connect proves that a server answers`(host: String) async throws {
        let namespace = try loopbackOnly()
        let server = try TCPListener(host == "::1" ? "::1" : "127.0.0.1", port: 8080, in: namespace)
        let target = host.contains(":") ? "[\(host)]:8080" : "\(host):8080"
        let run = try await CommandRun.start(.dialtone, ["host", target, "--connect"], in: namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.first == "\(target) is reachable: port 8080 answers.")
        withExtendedLifetime(server) {}
    }

    @Test func `--connect to a port where nothing listens reports that, with status 1`() async throws {
        let run = try await CommandRun.start(.dialtone, ["host", "[::1]:443", "--connect"], in: loopbackOnly())
        #expect(try await run.exitStatus() == 1)
        #expect(
            run.output.values.first
                == "[::1]:443 is not reachable. Connection refused: the host is there, but nothing listens on this port."
        )
        #expect(run.output.values.last?.hasPrefix("  connecting failed  ") == true, "\(run.output.values)")
    }

    @Test func `the JSON has every field of the contract`() async throws {
        let namespace = try loopbackOnly()
        let server = try TCPListener("127.0.0.1", port: 8080, in: namespace)
        let run = try await CommandRun.start(
            .dialtone, ["host", "localhost:8080", "--connect", "--json"], in: namespace)
        #expect(try await run.exitStatus() == 0)
        let object = try self.object(run.output.values.first)
        #expect(Set(object.keys) == ["time", "host", "port", "reachable", "route", "resolved", "connected"])
        #expect(object["host"] as? String == "localhost")
        #expect(object["port"] as? Int == 8080)
        #expect(object["reachable"] as? Bool == true)
        let route = try #require(object["route"] as? [String: Any])
        #expect(
            Set(route.keys) == ["milliseconds", "interface", "gateway", "isDirect", "isLocalAddress", "error"])
        #expect(route["isLocalAddress"] as? Bool == true)
        let resolved = try #require(object["resolved"] as? [String: Any])
        #expect(Set(resolved["addresses"] as? [String] ?? []) == ["::1", "127.0.0.1"])
        let connected = try #require(object["connected"] as? [String: Any])
        #expect(connected["address"] as? String == "127.0.0.1")
        #expect(connected["error"] is NSNull)
        let attempts = try #require(connected["attempts"] as? [[String: Any]])
        #expect(attempts.map { $0["outcome"] as? String } == ["failed", "connected"])
        withExtendedLifetime(server) {}
    }

    @Test func `--watch prints each change, and ends with status 0 at Ctrl-C`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let run = try await CommandRun.start(.dialtone, ["host", "192.0.2.77", "--watch", "--json"], in: lab.namespace)
        let first = try object(try await run.output.next())
        #expect(first["reachable"] as? Bool == true)
        #expect((first["changes"] as? [String])?.isEmpty == true)
        try lab.pullCable()
        let second = try object(try await run.output.next())
        #expect(second["reachable"] as? Bool == false)
        #expect((second["changes"] as? [String])?.contains("reachable") == true)
        try lab.plugCable()
        let third = try object(try await run.output.next { $0.contains("\"reachable\":true") })
        #expect((third["route"] as? [String: Any])?["error"] is NSNull)
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
    }

    @Test func `--watch notices at the interval that a server has stopped`() async throws {
        let namespace = try loopbackOnly()
        var server: TCPListener? = try TCPListener("127.0.0.1", port: 8080, in: namespace)
        let run = try await CommandRun.start(
            .dialtone, ["host", "127.0.0.1:8080", "--connect", "--watch", "--interval", "0.2"], in: namespace)
        _ = try await run.output.next { $0.contains("127.0.0.1:8080 is reachable: port 8080 answers.") }
        server = nil
        let dead = try await run.output.next()
        #expect(dead.contains("nothing listens on this port.  (changed: answer, connection)"), "\(dead)")
        server = try TCPListener("127.0.0.1", port: 8080, in: namespace)
        _ = try await run.output.next { $0.contains("is reachable") }
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        ([""], "the host name is empty"), (["a b"], "a host name cannot contain a space: 'a b'"),
        (["a\u{1B}[31mb"], "a host name cannot contain U+001B: 'a\u{FFFD}[31mb'"),
        (["example.com:0"], "a port is a number from 1 to 65535: '0'"),
        (["256.1.1.1"], "invalid IPv4 address: '256.1.1.1'"),
        (["fe80::1%nowhere0"], "this machine has no interface of this name: 'nowhere0'"),
        ([String(repeating: "a", count: 64) + ".example"], "a part of a host name has at most 63 letters; this has 64"),
        (["a..b"], "a part of this host name is empty: 'a..b'"),
        (["example.com", "--timeout", "0"], "--timeout must be a number of seconds"),
        (["☕.example"], "international"),
        (["a\u{202E}b.example"], "'a\u{FFFD}b.example'"), (["https://"], "'https://'"),
        (["example.com:99999"], "a port is a number from 1 to 65535: '99999'"),
        (["example.com", "--interval", "5"], "--interval needs --connect and --watch"),
        (["example.com", "--connect", "--watch", "--interval", "0"], "--interval must be a number of seconds"),
        (["example.com", "--timeout", "nan"], "--timeout must be a number of seconds"),
        ([], "missing expected argument"),
    ])
    func `an invalid argument is wrong usage, with the reason`(arguments: [String], reason: String) async throws {
        let run = try CommandRun(.dialtone, ["host"] + arguments)
        #expect(try await run.exitStatus() == 64)
        #expect(run.output.values.isEmpty)
        #expect(run.errors.values.first?.contains(reason) == true, "\(run.errors.values)")
    }

    private func loopbackOnly() throws -> NetworkNamespace {
        let namespace = try NetworkNamespace()
        try switchLoopbackOn(in: namespace)
        return namespace
    }

    private func switchLoopbackOn(in namespace: NetworkNamespace) throws {
        var kernel = try RouteNetlink(in: namespace)
        try kernel.setLink(1, up: true)
    }

    private func object(_ line: String?) throws -> [String: Any] {
        let line = try #require(line)
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}
