// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// A host with `dialtone serve`, and with vmagent as the shipped unit and configuration run it, but every half second.
final class ReportingHost: Sendable {
    private let serve: CommandRun
    private let agent: CommandRun
    private let namespace: NetworkNamespace

    /// Starts both programs.
    ///
    /// - Parameters:
    ///   - namespace: the host's network, with a way to 203.0.113.1.
    ///   - place: keeps the history, the buffer and the configuration; a host that restarts has the same one.
    init(in namespace: NetworkNamespace, _ place: Workplace) async throws {
        self.namespace = namespace
        serve = try await CommandRun.start(
            .dialtone,
            [
                "serve", "--endpoint", "http://203.0.113.1/generate_204", "--timeout", "2", "--interval", "1",
                "--data-dir", place.url.appending(path: "history").path,
            ], in: namespace)
        let configuration = try FleetFile.text("vmagent/vmagent.yml").replacing("15s", with: "500ms")
        let variables = [
            "REMOTE_WRITE_URL": "http://203.0.113.1:8428/api/v1/write", "VMAGENT_OPTIONS": "",
            "STATE_DIRECTORY": place.url.appending(path: "buffer").path,
            "/etc/dialtone/vmagent.yml": try place.write(configuration, "vmagent.yml"),
        ]
        var command = try FleetFile.command(ofUnit: "vmagent/vmagent.service")
        for (name, value) in variables {
            command = command.map {
                $0.replacing("${\(name)}", with: value).replacing("$\(name)", with: value).replacing(name, with: value)
            }
        }
        agent = try await CommandRun.start(
            .init(path: command[0]), command.dropFirst().filter { !$0.isEmpty }, in: namespace,
            environment: ["INSTANCE": "host"])
        _ = try await serve.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
    }

    /// The number of times that the agent has read the metrics.
    func collections() async throws -> Int {
        let page = try await Tool.run(["curl", "--silent", "http://127.0.0.1:8429/metrics"], in: namespace).text
        return page.firstMatch(of: /\nvm_promscrape_scrapes_total{status_code="200"} (\d+)/).flatMap { Int($0.1) } ?? 0
    }

    /// Waits until the agent has read the metrics this number of times more.
    func collect(_ count: Int) async throws {
        let before = try await collections()
        try await eventually { try await collections() >= before + count }
    }

    /// Ends both programs with a signal, as a shutdown or a loss of power does.
    func end(by signal: Int32) async throws {
        for run in [agent, serve] {
            kill(run.identifier, signal)
            let status = try await run.exitStatus()
            #expect(status == (signal == SIGKILL ? 128 + SIGKILL : 0), "\(run.errors.values.suffix(5))")
        }
    }

    /// Starts to end both programs.
    func terminate() {
        agent.terminate()
        serve.terminate()
    }
}

extension FleetFile {
    /// The words of the command that a unit starts.
    static func command(ofUnit path: String) throws -> [String] {
        let lines = try text(path).replacing("\\\n", with: " ").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("ExecStart=") })
        return line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
    }
}
#endif
