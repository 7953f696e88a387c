// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces))
struct ServeCommandTests {
    @Test func `it serves the current state, records it, and stops on a signal`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let events = try await lab.network.client.run { try RawClient(serving.port) }
        try events.send(RawClient.text(serving.port, "GET", "/events"))
        _ = try await events.read(until: "\"connectivity\":\"online\"")
        #expect(try await serving.get("/healthz").body == "ok\n")
        let status = try #require(try await serving.get("/api/status").object)
        #expect((status["path"] as? [String: Any])?["gateways"] as? [String] == ["192.0.2.1"])

        try lab.network.setCable(connected: false)
        _ = try await events.read(until: "\"connectivity\":\"offline\"")
        try lab.network.setCable(connected: true)
        _ = try await events.read(until: "\"connectivity\":\"online\"")
        let hosts = try await serving.get("/api/hosts").body
        #expect(hosts.contains("\"host\":\"203.0.113.1\""))

        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
        let log = serving.command.errors.values
        #expect(log.contains { $0.contains("message=connectivity") && $0.contains("cause=noCarrier") })
        #expect(log.contains { $0.contains("reason=\"No carrier on up0: is the cable in?\"") })
        #expect(log.allSatisfy { $0.hasPrefix("time=") }, "\(log)")

        // Another run finds the records of this one.
        let again = try await lab.serve()
        let past = try #require(try await again.get("/api/history").object)
        let states = (past["spans"] as? [[String: Any]])?.compactMap { $0["state"] as? String } ?? []
        #expect(states.contains("offline") && states.contains("online"), "\(states)")
        #expect(states.contains("notWatching"), "\(states)")
        again.command.interrupt()
        #expect(try await again.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test(arguments: [
        (["--listen", "0.0.0.0:0"], Int32(64), "token"), (["--listen", "nonsense"], 64, "127.0.0.1:4780"),
        (["--host", "bad host"], 64, "--host"), (["--interval", "0"], 64, "--interval"),
        (["--token-file", "/nowhere/token"], 64, "/nowhere/token"), (["--listen", "203.0.113.99:0"], 64, "token"),
    ])
    func `an invalid setting is reported with a remedy`(arguments: [String], status: Int32, word: String) async throws {
        let lab = try await ServeLab()
        let run = try await CommandRun.start(
            .dialtone, ["serve", "--data-dir", lab.directory.path] + arguments, in: lab.network.client)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == status)
        #expect(run.errors.values.joined(separator: " ").contains(word), "\(run.errors.values)")
    }

    @Test func `a port in use is named in the error`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let second = try await CommandRun.start(
            .dialtone,
            ["serve", "--data-dir", lab.directory.path + "-2", "--listen", "127.0.0.1:\(serving.port)", "--passive"],
            in: lab.network.client)
        #expect(try await second.exitStatus(timeout: .seconds(60)) == 70)
        #expect(second.errors.values.joined().contains("127.0.0.1:\(serving.port) is already in use"))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
