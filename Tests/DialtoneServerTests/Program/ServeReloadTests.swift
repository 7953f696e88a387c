// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

@testable import DialtoneServer

/// `dialtone serve` with its files, and their replacement while it runs.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
final class ServeReloadTests {
    private static let (token, otherToken) = ("correct-horse-battery", "another-horse-battery")
    private let folder: URL
    private let authority: TestAuthority

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-reload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = try TestAuthority(named: "Test Authority")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    private func write(_ identity: Identity) throws {
        try write(identity.certificate, to: "server.pem", mode: 0o644)
        try write(identity.key, to: "server.key")
    }

    private var identityArguments: [String] {
        ["--tls-certificate", path("server.pem"), "--tls-key", path("server.key")]
    }

    /// Writes the settings file of a server that listens on any port.
    private func configure(_ lab: ServeLab, listen: String = "127.0.0.1:0", _ more: String = "") throws {
        try write(
            """
            {
                "listen": "\(listen)", "data-dir": "\(lab.directory.path)", "token-file": "\(path("token"))",
                "endpoints": ["http://203.0.113.1/generate_204"], "timeout": 2, \(more)
            }
            """, to: "config.json")
    }

    private func reload(_ serving: ServeLab.Serving, until text: String) async throws -> String {
        kill(serving.command.identifier, SIGHUP)
        return try await serving.command.errors.next { $0.contains(text) }
    }

    private func status(_ serving: ServeLab.Serving, _ token: String) async throws -> Int {
        try await serving.get("/api/status", ["Authorization": "Bearer \(token)"]).status
    }

    @Test func `a reload applies what it can, names what needs a restart, and refuses invalid settings`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try write(Self.token, to: "token")
        try configure(lab, "\"interval\": 600")
        let serving = try await lab.serve(only: ["serve", "--config", path("config.json")])
        #expect(try await status(serving, Self.token) == 200)

        try write(Self.otherToken, to: "token")
        try configure(
            lab, listen: "127.0.0.2:0", "\"interval\": 300, \"hosts\": [\"203.0.113.1\"], \"log-level\": \"debug\"")
        let warning = try await reload(serving, until: "restart")
        #expect(warning.contains("level=warning") && warning.contains("settings=\"interval, listen\""), "\(warning)")
        _ = try await serving.command.errors.next { $0.contains("message=reloaded") }
        #expect(try await status(serving, Self.token) == 401)
        #expect(try await status(serving, Self.otherToken) == 200)
        _ = try await serving.command.errors.next { $0.contains("level=debug message=request") }
        let hosts = try await serving.get("/api/hosts", ["Authorization": "Bearer \(Self.otherToken)"])
        #expect(hosts.body.contains("203.0.113.1"))

        for (text, reason) in [
            ("\"hosts\": [\"a b\"]", "config.json: hosts: "), ("\"quorum\": \"many\"", "config.json: quorum: "),
            ("\"nonsense\": 1", "unknown setting 'nonsense'"), ("{", "line "),
        ] {
            try configure(lab, text)
            let line = try await reload(serving, until: "cannot reload")
            #expect(line.contains("level=error") && line.contains(reason), "\(line)")
        }
        try configure(lab)
        try write("short", to: "token")
        #expect(try await reload(serving, until: "cannot reload").contains("at least 16"))
        #expect(try await status(serving, Self.otherToken) == 200)
        #expect(
            try await serving.get("/api/hosts", ["Authorization": "Bearer \(Self.otherToken)"]).body
                .contains("203.0.113.1"))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `a process that requests a reload learns its result`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try write(Self.token, to: "token")
        try configure(lab, "\"interval\": 600")
        let serving = try await lab.serve(only: ["serve", "--config", path("config.json")])
        func request(_ process: String? = nil) async throws -> (status: Int32, words: String) {
            let run = try await CommandRun.start(
                .dialtone,
                ["serve", "--config", path("config.json"), "--reload", process ?? "\(serving.command.identifier)"],
                in: lab.network.client)
            return (try await run.exitStatus(), run.errors.values.joined(separator: " "))
        }
        #expect(try await request() == (0, ""))
        try configure(lab, "\"interval\": 300")
        try write(Self.otherToken, to: "token")
        #expect(try await request() == (0, "dialtone: these settings take effect after a restart: interval"))
        #expect(try await status(serving, Self.otherToken) == 200)
        // The server refuses what only it reads, and the process what both read.
        try write("short", to: "token")
        let refused = try await request()
        #expect(refused.status == 64 && refused.words.contains("cannot reload"), "\(refused)")
        #expect(refused.words.contains("at least 16"), "\(refused)")
        try configure(lab, "\"quorum\": \"many\"")
        let wrong = try await request()
        #expect(wrong.status == 64 && wrong.words.contains("config.json: quorum: "), "\(wrong)")
        #expect(try await status(serving, Self.otherToken) == 200)
        try configure(lab)
        let missing = try await request("\(Int32.max)")
        #expect(missing.status == 70 && missing.words.contains("No such process"), "\(missing)")
        let other = try await CommandRun.start(.init(path: "/usr/bin/sleep"), ["600"], in: lab.network.client)
        let stray = try await request("\(other.identifier)")
        #expect(stray.status == 70 && stray.words.contains("is no server, but sleep"), "\(stray)")
        other.terminate()
        // The signal of a reload would have ended it first.
        #expect(try await other.exitStatus() == 128 + SIGTERM)
        for number in ["0", "-1", "1", "many"] { #expect(try await request("\(number)").status == 64) }
        #expect(!FileManager.default.fileExists(atPath: lab.directory.appending(path: "reload.socket").path))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test(.requires(.fileOwners)) func `a server of another user than the history is refused at once`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try configure(lab)
        try write(Self.token, to: "token")
        let serving = try await lab.serve(only: ["serve", "--config", path("config.json")])
        try #require(chown(lab.directory.appending(path: "history.lock").path, 65_532, 65_532) == 0)
        let request = try await CommandRun.start(
            .dialtone, ["serve", "--config", path("config.json"), "--reload", "\(serving.command.identifier)"],
            in: lab.network.client)
        #expect(try await request.exitStatus() == 70)
        let words = request.errors.values.joined()
        #expect(words.contains("has another user than the history in \(lab.directory.path)"), "\(words)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test(.requires(.root))
    func `a file that the service may not read is read from its credential of the same name`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        // Root without these capabilities may not read it.
        try write(Self.token, to: "token")
        try #require(chmod(path("token"), 0) == 0)
        try configure(lab)
        let without = "-dac_override,-dac_read_search"
        let arguments = [
            "--inh-caps=\(without)", "--bounding-set=\(without)", CommandRun.Program.dialtone.path, "serve", "--config",
            path("config.json"),
        ]
        func start() async throws -> CommandRun {
            try await CommandRun.start(
                .init(path: "/usr/bin/setpriv"), arguments, in: lab.network.client,
                environment: ["CREDENTIALS_DIRECTORY": path("credentials")])
        }
        try FileManager.default.createDirectory(atPath: path("credentials"), withIntermediateDirectories: false)
        for (copy, remedy) in [(nil, "LoadCredential=token:\(path("token"))"), ("\n", "restart the service")] {
            if let copy { try write(copy, to: "credentials/token") }
            let run = try await start()
            #expect(try await run.exitStatus() == 64)
            let words = run.errors.values.joined()
            #expect(
                words.contains("cannot read \(path("token")): Permission denied: ") && words.contains(remedy),
                "\(words)")
        }
        try write(Self.token, to: "credentials/token")
        let command = try await start()
        let line = try await command.output.next { $0.hasPrefix("Serving on ") }
        let port = UInt16(line.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
        let serving = ServeLab.Serving(command: command, port: port, namespace: lab.network.client)
        #expect(try await status(serving, Self.token) == 200)
        _ = try await reload(serving, until: "message=reloaded")
        try write(Self.otherToken, to: "token")
        try #require(chmod(path("token"), 0) == 0)
        let warning = try await reload(serving, until: "restart")
        #expect(warning.contains("settings=\(path("token"))"), "\(warning)")
        #expect(try await status(serving, Self.token) == 200)
        #expect(command.errors.values.filter { $0.contains("restart") }.count == 1)
        command.terminate()
        #expect(try await command.exitStatus() == 0)
    }

    @Test func `many reloads neither cost memory and descriptors nor lose an event or a record`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try write(Self.token, to: "token")
        try write(authority.issueForServer())
        try configure(lab, "\"hosts\": [\"203.0.113.1\"]")
        let serving = try await lab.serve(only: ["serve", "--config", path("config.json")] + identityArguments)
        _ = try await serving.command.errors.next { $0.contains("state=online") }
        let stream = try await TLSClient(
            try await lab.network.client.run { try RawClient(serving.port) }, trusting: authority)
        let authorized = ["Authorization": "Bearer \(Self.token)"]
        try await stream.send(RawClient.text(serving.port, "GET", "/events", authorized))
        _ = try await stream.read(until: "\"connectivity\":\"online\"")
        var before: (descriptors: Int, memory: Int)?
        for round in 0..<200 {
            try configure(
                lab, "\"hosts\": [\"203.0.113.1\", \"192.0.2.\(1 + round % 2)\"], \"host-interval\": \(30 + round % 2)")
            _ = try await reload(serving, until: "message=reloaded")
            if round == 40 { before = try holdings(of: serving.command.identifier) }
            guard round % 50 == 10 else { continue }
            try await lab.network.setCable(connected: false)
            _ = try await stream.read(until: "\"connectivity\":\"offline\"")
            try await lab.network.setCable(connected: true)
            _ = try await stream.read(until: "\"connectivity\":\"online\"")
        }
        let earlier = try #require(before)
        try await eventually {
            try self.holdings(of: serving.command.identifier).descriptors <= earlier.descriptors + 2
        }
        let growth = try holdings(of: serving.command.identifier).memory - earlier.memory
        #expect(growth < 16 * 1_048_576, "\(growth)")
        let client = try await TLSClient(
            try await lab.network.client.run { try RawClient(serving.port) }, trusting: authority)
        try await client.send(
            RawClient.text(serving.port, "GET", "/api/history", ["Connection": "close"].merging(authorized) { $1 }))
        let history = Reply(try await client.readToEnd()).object
        #expect(history?["outageCount"] as? Int == 4)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    private func holdings(of process: pid_t) throws -> (descriptors: Int, memory: Int) {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return (
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count,
            try #require(Int(line.filter(\.isNumber))) * 1024
        )
    }

    @Test func `the certificate and its key are replaced together, or not at all`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        try write(authority.issueForServer())
        let serving = try await lab.serve(["--passive"] + identityArguments)
        let other = try TestAuthority(named: "Another Authority")
        try write(try other.issueForServer().certificate, to: "server.pem")
        let line = try await reload(serving, until: "cannot reload")
        #expect(line.contains("server.key: it is not the private key of the certificate in"), "\(line)")
        #expect(try await isTrusted(serving, by: authority))
        try write(other.issueForServer())
        _ = try await reload(serving, until: "message=reloaded")
        #expect(try await isTrusted(serving, by: other))
        #expect(try await !isTrusted(serving, by: authority))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    private func isTrusted(_ serving: ServeLab.Serving, by authority: TestAuthority) async throws -> Bool {
        let connection = try await serving.namespace.run { try RawClient(serving.port) }
        return (try? await TLSClient(connection, trusting: authority)) != nil
    }

    @Test func `untrusted bytes on the port of HTTPS are not logged, and an expired certificate is`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (hour, day) = (TestAuthority.hour, TestAuthority.day)
        try write(authority.issueForServer(age: day, lifetime: day - hour))
        let serving = try await lab.serve(["--passive"] + identityArguments)
        #expect(serving.command.output.values.first?.hasPrefix("Serving on https://127.0.0.1:") == true)
        let warning = try await serving.command.errors.next { $0.contains("level=warning") }
        #expect(warning.contains("the certificate in \(path("server.pem")) expired on "), "\(warning)")
        for text in ["GET / HTTP/1.1\r\n\r\n", "garbage"] {
            let client = try await serving.namespace.run { try RawClient(serving.port) }
            try client.send(text)
            shutdown(client.descriptor, Int32(SHUT_WR))
            _ = try await client.readToEnd()
        }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
        let messages = serving.command.errors.values.filter {
            !["expired", "message=listening", "message=connectivity", "message=stopped"].contains(where: $0.contains)
        }
        #expect(messages.isEmpty, "\(messages)")
    }

    @Test func `invalid files for HTTPS are reported with their option and a remedy`() async throws {
        try write(authority.issueForServer())
        let key = try authority.issueForServer().key
        try write(key, to: "other.key")
        try write(key, to: "open.key", mode: 0o644)
        let (certificate, own) = (path("server.pem"), path("server.key"))
        for (arguments, words) in [
            (["--tls-certificate", certificate], "--tls-certificate: HTTPS also needs the private key"),
            (["--tls-key", own], "--tls-key: HTTPS also needs the certificate"),
            (
                ["--tls-certificate", "/nowhere/a.pem", "--tls-key", own],
                "--tls-certificate: cannot use /nowhere/a.pem: /nowhere: No such file or directory"
            ),
            (["--tls-certificate", own, "--tls-key", own], "--tls-certificate: cannot use \(own): it contains no"),
            (
                ["--tls-certificate", certificate, "--tls-key", path("other.key")],
                "--tls-key: cannot use \(path("other.key")): it is not the private key"
            ),
            (
                ["--tls-certificate", certificate, "--tls-key", path("open.key")],
                "other users can read it: run chmod 600 \(path("open.key"))"
            ),
        ] as [([String], String)] {
            let run = try await CommandRun.start(
                .dialtone, ["serve", "--passive", "--config", "/dev/null", "--data-dir", path("data")] + arguments,
                in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values.joined().contains(words), "\(run.errors.values)")
        }
    }

    @Test(arguments: [("0.0.0.0:0", false, true), ("127.0.0.1:0", false, false), ("0.0.0.0:0", true, false)])
    func `a token that is sent unencrypted causes a warning`(listen: String, isEncrypted: Bool, warns: Bool)
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        try write(Self.token, to: "token")
        try write(authority.issueForServer())
        let serving = try await lab.serve(
            only: [
                "serve", "--passive", "--config", "/dev/null", "--listen", listen, "--token-file", path("token"),
                "--data-dir", lab.directory.path,
            ] + (isEncrypted ? identityArguments : []))
        _ = try await reload(serving, until: "message=reloaded")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
        let warnings = serving.command.errors.values.filter { $0.contains("level=warning") }
        #expect(warnings.count == (warns ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("unencrypted") && $0.contains("--tls-certificate") })
    }

    @Test func `the log is one JSON object per line, with the reason and the portal`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        lab.internet.play(.portal(.redirect))
        let serving = try await lab.serve(["--log-format", "json"])
        let line = try await serving.command.errors.next { $0.contains("captivePortal") }
        let entry = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(entry["message"] == "connectivity" && entry["level"] == "info" && entry["state"] == "captivePortal")
        #expect(entry["reason"]?.contains("login") == true)
        #expect(entry["portal"]?.hasPrefix("http") == true, "\(entry)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
        for line in serving.command.errors.values {
            let entry = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            let time = try #require(entry["time"])
            #expect(throws: Never.self) { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time) }
            #expect(entry["level"] != nil && entry["message"] != nil)
        }
    }
}

extension Capability {
    /// Root, also that of a user namespace, which can give up that it reads every file.
    fileprivate static let root = Capability("root") {
        if geteuid() != 0 { throw POSIXError(.EPERM) }
    }
}
#endif
