// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
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

        try await lab.network.setCable(connected: false)
        _ = try await events.read(until: "\"connectivity\":\"offline\"")
        try await lab.network.setCable(connected: true)
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
        (["--host", "bad host"], 64, "--host"),
        (["--interval", "0"], 64, "--interval"),
        (["--token-file", "/nowhere/token"], 64, "/nowhere/token"), (["--listen", "203.0.113.99:0"], 64, "token"),
    ])
    func `an invalid setting is reported with a remedy`(arguments: [String], status: Int32, word: String) async throws {
        let lab = try await ServeLab()
        let run = try await CommandRun.start(
            .dialtone, ["serve", "--data-dir", lab.directory.path] + arguments, in: lab.network.client)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == status)
        #expect(run.errors.values.joined(separator: " ").contains(word), "\(run.errors.values)")
    }

    @Test func `several addresses are served, and one that other machines reach needs a token`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let token = lab.directory.path + "-token"
        try Data("correct-horse-battery".utf8).write(to: URL(filePath: token))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        defer { try? FileManager.default.removeItem(atPath: token) }
        let arguments = ["serve", "--passive", "--config", "/dev/null", "--data-dir", lab.directory.path]
        let both = ["--listen", "127.0.0.1:4780", "--listen", "192.0.2.2:4780"]
        let open = try await CommandRun.start(.dialtone, arguments + both, in: lab.network.client)
        #expect(try await open.exitStatus() == 64)
        #expect(open.errors.values.joined().contains("other machines could connect to 192.0.2.2:4780: set a token"))

        let serving = try await lab.serve(only: arguments + both + ["--token-file", token])
        #expect(serving.command.output.values == ["Serving on http://127.0.0.1:4780/, http://192.0.2.2:4780/"])
        for host in ["127.0.0.1", "192.0.2.2"] {
            let client = try await lab.network.client.run { try RawClient(4780, at: host) }
            let fields = [
                "Host": "\(host):4780", "Authorization": "Bearer correct-horse-battery", "Connection": "close",
            ]
            try client.send(RawClient.text(4780, "GET", "/api/status", fields))
            #expect(Reply(try await client.readToEnd()).status == 200, "\(host)")
        }
        let second = try await CommandRun.start(
            .dialtone,
            arguments + ["--listen", "127.0.0.1:4781", "--listen", "192.0.2.2:4780", "--token-file", token],
            in: lab.network.client)
        #expect(try await second.exitStatus() == 70)
        #expect(second.errors.values.joined().contains("192.0.2.2:4780 is already in use"))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)

        // All addresses of both versions of the protocol.
        let all = try await lab.serve(
            only: arguments + ["--listen", "0.0.0.0:4780", "--listen", "[::]:4780", "--token-file", token])
        #expect(try await all.get("/healthz").status == 200)
        all.command.terminate()
        #expect(try await all.command.exitStatus() == 0)
    }

    @Test func `with --passive a path is enough for /online`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve(["--passive"])
        try await eventually { try await serving.get("/online").status == 200 }
        try await lab.network.setCable(connected: false)
        try await eventually { try await serving.get("/online").status == 503 }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `its threads ask for no priority that an unprivileged user lacks`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let poor = ["--inh-caps=-sys_nice", "--bounding-set=-sys_nice", CommandRun.Program.dialtone.path]
        let server = try await CommandRun.start(
            .init(path: "/usr/bin/setpriv"),
            poor + ServeLab.arguments + ["--interval", "0.1", "--listen", "127.0.0.1:4780"]
                + ["--data-dir", lab.directory.path],
            in: lab.network.client, environment: ["LIBDISPATCH_LOG": "stderr"])
        _ = try await server.output.next { $0.hasPrefix("Serving on ") }
        let serving = ServeLab.Serving(command: server, port: 4780, namespace: lab.network.client)
        try await eventually {
            let lines = try await serving.get("/metrics").body.split(separator: "\n")
            let checks = lines.first { $0.hasPrefix("dialtone_checks_total{verdict=\"verified\"}") }
            return checks?.split(separator: " ").last.flatMap { Double($0) }.map { $0 > 20 } ?? false
        }
        server.terminate()
        #expect(try await server.exitStatus() == 0)
        // libdispatch's own thread for events asks for one, once for each process.
        let complaints = server.errors.values.filter { $0.contains("Failed to set thread priority") }
        #expect(complaints.count <= 1, "\(complaints)")
    }

    @Test func `a port in use is named in the error, and no history is left`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let history = lab.directory.path + "-2"
        let second = try await CommandRun.start(
            .dialtone,
            ["serve", "--data-dir", history, "--listen", "127.0.0.1:\(serving.port)", "--passive"],
            in: lab.network.client)
        #expect(try await second.exitStatus(timeout: .seconds(60)) == 70)
        #expect(second.errors.values.joined().contains("127.0.0.1:\(serving.port) is already in use"))
        #expect(!FileManager.default.fileExists(atPath: history))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
