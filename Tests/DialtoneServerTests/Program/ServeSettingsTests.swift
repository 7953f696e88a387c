// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// The server's settings from a file and from environment variables.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct ServeSettingsTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    /// Writes settings of every kind, none of which is the default.
    private func file(_ lab: ServeLab, isPassive: Bool = false) throws -> String {
        let token = try write("correct-horse-battery\n", to: "token")
        return try write(
            """
            {
                "listen": "127.0.0.1:0", "data-dir": "\(lab.directory.path)", "token-file": "\(token)",
                "hosts": ["203.0.113.1", "192.0.2.1"], "host-interval": 5, "allow-hosts": ["dialtone.example"],
                "log-level": "debug", "passive": \(isPassive),
                "endpoints": ["http://203.0.113.1/generate_204"], "interval": 0.5, "timeout": 2,
            }
            """, to: "config.json")
    }

    @Test func `a file can set everything that options can, and locates the history`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lab = try await ServeLab()
        try await lab.network.join()
        let config = try file(lab)
        let serving = try await lab.serve(only: ["serve", "--config", config])
        let authorized = ["Authorization": "Bearer correct-horse-battery"]
        #expect(try await serving.get("/api/hosts").status == 401)
        let hosts = try await serving.get("/api/hosts", authorized).body
        #expect(hosts.contains("\"host\":\"203.0.113.1\"") && hosts.contains("\"host\":\"192.0.2.1\""), "\(hosts)")
        let page = try await serving.get("/", authorized.merging(["Host": "dialtone.example"]) { $1 })
        #expect(page.status == 200)
        #expect(page.body.contains(">Check now<"))
        try await eventually { serving.command.errors.values.contains { $0.contains("level=debug message=request") } }
        _ = try await serving.command.errors.next { $0.contains("state=online") }
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)

        // The same file sets the location for `history`.
        let past = try await CommandRun.start(
            .dialtone, ["history", "--config", config, "--since", "1h", "--json"], in: lab.network.client)
        #expect(try await past.exitStatus() == 0, "\(past.errors.values)")
        #expect(past.output.values.first?.contains("\"state\":\"online\"") == true)
    }

    @Test func `a variable overrides the file, and an option overrides both`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let lab = try await ServeLab()
        try await lab.network.join()
        let config = try file(lab, isPassive: true)
        let (variable, option) = (folder.appending(path: "variable"), folder.appending(path: "option"))
        let environment = [
            "DIALTONE_CONFIG": config, "DIALTONE_DATA_DIR": variable.path,
            "DIALTONE_HOSTS": "192.0.2.9; 192.0.2.10", "DIALTONE_PASSIVE": "no", "DIALTONE_LOG_LEVEL": "info",
        ]
        for (arguments, place, hosts, isPassive) in [
            ([], variable, ["192.0.2.9", "192.0.2.10"], false),
            (["--data-dir", option.path, "--host", "192.0.2.11", "--passive"], option, ["192.0.2.11"], true),
        ] as [([String], URL, [String], Bool)] {
            let serving = try await lab.serve(only: ["serve"] + arguments, environment: environment)
            let authorized = ["Authorization": "Bearer correct-horse-battery"]
            let told = try await serving.get("/api/hosts", authorized).body
            for host in ["192.0.2.9", "192.0.2.10", "192.0.2.11", "203.0.113.1"] {
                #expect(told.contains("\"host\":\"\(host)\"") == hosts.contains(host), "\(told)")
            }
            #expect(try await serving.get("/", authorized).body.contains(">Check now<") == !isPassive)
            #expect(FileManager.default.fileExists(atPath: place.appending(path: "history.sqlite").path))
            #expect(!serving.command.errors.values.contains { $0.contains("level=debug") })
            serving.command.terminate()
            #expect(try await serving.command.exitStatus() == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: lab.directory.path))
    }

    @Test(arguments: [
        ("DIALTONE_LISTEN", "nonsense", "must be an address and a port"), ("DIALTONE_HOSTS", "a b", "DIALTONE_HOSTS"),
        ("DIALTONE_LOG_LEVEL", "loud", "must be one of trace"),
        ("DIALTONE_REQUIRE_TLS", "perhaps", "must be true or false"),
        ("DIALTONE_DATA_DIR", "here", "must be an absolute path"),
        ("DIALTONE_TOKEN_FILE", "token", "must be an absolute path"),
        ("DIALTONE_TOKEN_FILE", "/nowhere/token", "cannot use /nowhere/token: /nowhere: No such file or directory"),
        ("DIALTONE_TOKEN_FILE", "FOLDER/token", "must be at least 16 printable ASCII characters"),
        ("DIALTONE_TLS_CERTIFICATE", "server.pem", "must be an absolute path"),
        ("DIALTONE_TLS_CERTIFICATE", "/nowhere/server.pem", "HTTPS also needs the private key"),
        ("DIALTONE_TLS_KEY", "/nowhere/server.key", "HTTPS also needs the certificate"),
        ("DIALTONE_LOG_FORMAT", "xml", "'xml' must be text or json"),
        ("DIALTONE_HOSTS", "example.com; a:99999", "'a:99999': A port is a number from 1 to 65535: '99999'"),
        ("DIALTONE_HOST_INTERVAL", "0.5", "'0.5' must be a number of seconds from 1 to 10000000"),
        ("DIALTONE_ALLOW_HOSTS", "https://dash.example.org", "'https://dash.example.org' must be an ASCII host name"),
        ("DIALTONE_ALLOW_HOSTS", "dash.example.org", "set a token with --token-file"),
        ("DIALTONE_LISTEN", "127.0.0.1:0; 0.0.0.0:0", "could connect to 0.0.0.0:0: set a token with --token-file"),
    ])
    func `an invalid value is reported with its variable`(name: String, value: String, words: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try write("too short", to: "token")
        let value = value.replacingOccurrences(of: "FOLDER", with: folder.path)
        let run = try await CommandRun.start(
            .dialtone, ["serve", "--passive", "--config", "/dev/null"], in: NetworkNamespace(),
            environment: ["HOME": folder.path, name: value])
        #expect(try await run.exitStatus() == 64)
        let said = run.errors.values.joined(separator: " ")
        #expect(said.contains("\(name): ") && said.contains(words), "\(said)")
        // The history is not opened.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
    }

    @Test(arguments: [
        (#"{"listen": true}"#, "listen: 'true' must be a list of strings such as"),
        (#"{"listen": []}"#, "listen: must name at least one address"),
        (#"{"listen": ["127.0.0.1:0", "a"]}"#, "listen: 'a' must be an address and a port"),
        (#"{"listen": ["127.0.0.1:0", "192.0.2.7:0"]}"#, "listen: other machines could connect to 192.0.2.7:0"),
        (#"{"hosts": 1}"#, "hosts: '1' must be a list"),
        (#"{"hosts": "a b"}"#, "hosts: A host name cannot contain a space: 'a b'"),
        (#"{"data-dir": "../x"}"#, #"data-dir: "../x" must be an absolute path"#),
        (#"{"require-tls": 1}"#, "require-tls: '1' must be true"),
        (#"{"listen": "example.com:80"}"#, "listen: 'example.com:80' must be an address and a port"),
        (#"{"data_dir": "/x"}"#, "unknown setting 'data_dir'; did you mean 'data-dir'?"),
    ])
    func `an invalid value is reported with its position in the file`(text: String, words: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let config = try write(text, to: "config.json")
        let run = try await CommandRun.start(
            .dialtone, ["serve", "--passive", "--config", config], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        let said = run.errors.values.joined(separator: " ")
        #expect(said.contains("\(config): ") && said.contains(words), "\(said)")
    }
}
#endif
