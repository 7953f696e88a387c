// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone status --passive`, run as a user runs it.
@Suite(.requires(.networkNamespaces))
struct StatusTests {
    @Test func `without a network the reason is printed, with status 1`() async throws {
        let run = try await CommandRun.start(.dialtone, ["--passive"], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 1)
        #expect(run.output.values == ["Offline. This machine has no network interface except loopback."])
        #expect(run.errors.values.isEmpty)
    }

    @Test func `a path is printed with its link and its gateway, with status 0`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let run = try await CommandRun.start(.dialtone, ["status", "--passive"], in: lab.namespace)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values.first == "Connected over up0 (wired Ethernet).")
        #expect(run.output.values.contains("  gateway   192.0.2.1"))
    }

    @Test func `the JSON has every field of the contract, null where there is no value`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let run = try await CommandRun.start(.dialtone, ["status", "--passive", "--json"], in: lab.namespace)
        #expect(try await run.exitStatus() == 0)
        let line = try #require(run.output.values.first)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(object.keys).isSuperset(of: ["time", "connectivity", "since", "path", "internet"]))
        #expect(object["connectivity"] as? String == "unverified")
        #expect(object["internet"] is NSNull)
        #expect(object["changes"] == nil)
        let path = try #require(object["path"] as? [String: Any])
        #expect(path["status"] as? String == "satisfied")
        #expect(path["reason"] is NSNull)
        #expect(path["unsatisfiedReason"] is NSNull)
        #expect(path["supportsIPv4"] as? Bool == true)
        #expect(path["supportsIPv6"] as? Bool == false)
        #expect(path["gateways"] as? [String] == ["192.0.2.1"])
        let interface = try #require((path["interfaces"] as? [[String: Any]])?.first)
        #expect(interface["name"] as? String == "up0")
        #expect(interface["type"] as? String == "wiredEthernet")
        let time = try #require(object["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func `the reason of an unsatisfied path is the diagnosis`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        try await lab.loseCarrier()
        let run = try await CommandRun.start(.dialtone, ["--passive", "--json"], in: lab.namespace)
        #expect(try await run.exitStatus() == 1)
        let line = try #require(run.output.values.first)
        #expect(line.contains(#""reason":"noCarrier""#))
        #expect(line.contains(#""unsatisfiedReason":"notAvailable""#))
    }

    @Test(
        arguments: zip(
            [
                ["--interface", "wired"], ["--interface", "up0"], ["--not", "wifi", "--not", "cellular"],
                ["--not", "wired"], ["--interface", "wifi"], ["--interface", "loopback"],
            ],
            [Int32](arrayLiteral: 0, 0, 0, 1, 1, 1)))
    func `options restrict the interfaces`(options: [String], status: Int32) async throws {
        let lab = try Uplink()
        try await lab.connect()
        let run = try await CommandRun.start(.dialtone, ["status", "--passive"] + options, in: lab.namespace)
        #expect(try await run.exitStatus() == status, "\(run.output.values)")
    }

    @Test func `an interface that does not exist is wrong usage, and the existing ones are listed`() async throws {
        let lab = try Uplink()
        let run = try await CommandRun.start(.dialtone, ["--interface", "eth7"], in: lab.namespace)
        #expect(try await run.exitStatus() == 64)
        let errors = run.errors.values.joined(separator: "\n")
        #expect(errors.hasPrefix("dialtone: --interface: no interface is named 'eth7'; the interfaces are lo, "))
        #expect(errors.contains("up0"))
    }

    @Test(arguments: [["--bogus"], ["status", "--not", "bogus"], ["bogus"], ["status", "--interface"]])
    func `wrong usage exits with 64 and a message`(arguments: [String]) async throws {
        let run = try await CommandRun.start(.dialtone, arguments, in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(!run.errors.values.isEmpty)
    }

    @Test func `without a terminal there are no colors`() async throws {
        let run = try await CommandRun.start(
            .dialtone, ["--passive"], in: NetworkNamespace(), environment: ["TERM": "xterm-256color"])
        _ = try await run.exitStatus()
        #expect(!run.output.values.joined().contains("\u{1B}"))
    }
}
