// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport

/// `dialtone serve` as a user runs it, in a namespace behind a router, with a scripted Internet behind that.
final class ServeLab: Sendable {
    let network: RoutedLab
    let internet: ScriptedInternet
    let directory: URL

    init(_ scene: ScriptedInternet.Behavior = .online) async throws {
        let network = try RoutedLab()
        self.network = network
        internet = try await network.internet.run {
            try ScriptedInternet(scene, address: "203.0.113.1", httpPort: 80, httpsPort: 443)
        }
        directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The options for fast checks of the scripted Internet by address.
    static let arguments = [
        "serve", "--endpoint", "http://203.0.113.1/generate_204", "--interval", "0.5", "--timeout", "2",
        "--host", "203.0.113.1",
    ]

    /// A running server.
    struct Serving: Sendable {
        let command: CommandRun
        let port: UInt16
        let namespace: NetworkNamespace
        /// The standard input of a demo.
        var input: Descriptor?

        /// Lets a demo play a scene.
        func play(_ scene: String) throws {
            if let input { _ = try SystemCall.write(Array("\(scene)\n".utf8)[...], to: input.number) }
        }

        /// Sends a request from the server's own machine.
        func get(_ target: String, _ fields: [String: String] = [:]) async throws -> Reply {
            let (port, namespace) = (port, namespace)
            let client = try await namespace.run { try RawClient(port) }
            try client.send(RawClient.text(port, "GET", target, ["Connection": "close"].merging(fields) { $1 }))
            return Reply(try await client.readToEnd())
        }

        /// Submits a form, as the page does.
        func submit(_ target: String, _ form: String) async throws -> Reply {
            let (port, namespace) = (port, namespace)
            let client = try await namespace.run { try RawClient(port) }
            let fields = [
                "Origin": "http://127.0.0.1:\(port)", "Content-Type": "application/x-www-form-urlencoded",
                "Connection": "close",
            ]
            try client.send(RawClient.text(port, "POST", target, fields, form))
            return Reply(try await client.readToEnd())
        }

        /// Opens the event stream.
        func events() async throws -> RawClient {
            let (port, namespace) = (port, namespace)
            let client = try await namespace.run { try RawClient(port) }
            try client.send(RawClient.text(port, "GET", "/events"))
            _ = try await client.read(until: "\r\n\r\n")
            return client
        }
    }

    /// Starts a server on its own port.
    ///
    /// - Parameters:
    ///   - more: additional options; they override the default ones.
    ///   - mounts: the mount namespace that it runs in.
    func serve(_ more: [String] = [], among mounts: OwnMounts? = nil) async throws -> Serving {
        try await serve(
            only: Self.arguments + ["--listen", "127.0.0.1:0", "--data-dir", directory.path] + more, among: mounts)
    }

    /// Starts a server that checks the Internet only when something happens, and connects to hosts every 30 s.
    func serveAtRest(
        _ more: [String] = [], among mounts: OwnMounts? = nil, environment: [String: String] = [:]
    ) async throws -> Serving {
        try await serve(
            only: [
                "serve", "--endpoint", "http://203.0.113.1/generate_204", "--interval", "600", "--timeout", "2",
                "--listen", "127.0.0.1:0", "--data-dir", directory.path,
            ] + more, among: mounts, environment: environment)
    }

    /// Starts the demo, which watches these hosts.
    func serveDemo(_ hosts: [String] = ["203.0.113.1"], among mounts: OwnMounts? = nil) async throws -> Serving {
        let input = try Descriptor.pipe(0)
        var serving = try await serve(
            only: ["--listen", "127.0.0.1:0"] + hosts.flatMap { ["--host", $0] }, of: .built("DialtoneDemo"),
            among: mounts, input: input.reading)
        serving.input = input.writing
        return serving
    }

    /// Starts a server with only these arguments.
    func serve(
        only arguments: [String], of program: CommandRun.Program = .dialtone, among mounts: OwnMounts? = nil,
        environment: [String: String] = [:], input: Descriptor? = nil
    ) async throws -> Serving {
        let command = try await CommandRun.start(
            mounts?.program ?? program, mounts?.arguments(program, arguments) ?? arguments, in: network.client,
            environment: environment, input: input)
        let line = try await command.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
        let digits = line.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        return Serving(command: command, port: UInt16(digits) ?? 0, namespace: network.client)
    }
}
#endif
