// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport

/// A routed lab with servers behind the router: HTTP, HTTPS and DNS, as an ordinary program finds them.
final class ServedLab: Sendable {
    let network: RoutedLab
    let internet: ScriptedInternet
    let names: ScriptedResolver
    private let nameServer: ScriptedNameServer
    private let folder: URL

    /// The name of the servers.
    static let host = "one.check.test"

    /// - Parameters:
    ///   - resolver: the address of the name server that programs query; a name server listens only at 203.0.113.53.
    ///   - hidden: an address for the servers that no router routes to, instead of 203.0.113.1.
    convenience init(
        _ behavior: ScriptedInternet.Behavior = .online, resolver: String = "203.0.113.53", hidden: String? = nil
    ) async throws {
        try await self.init(
            behavior, ScriptedResolver(otherwise: .addresses("203.0.113.1")), resolver: resolver, hidden: hidden,
            address: hidden ?? "203.0.113.1", hosts: [Self.host])
    }

    /// - Parameters:
    ///   - names: the answers of the name server.
    ///   - address: the address that the servers listen on; `::` is every address of the Internet.
    ///   - hosts: the names in the servers' certificate.
    ///   - isWired: whether the router's links are wires.
    ///   - providerRouters: the number of the provider's routers behind it.
    init(
        _ behavior: ScriptedInternet.Behavior, _ names: ScriptedResolver, resolver: String, hidden: String? = nil,
        address: String, hosts: [String], wired isWired: Bool = false, providerRouters: Int = 0
    ) async throws {
        let network = try RoutedLab(wired: isWired, providerRouters: providerRouters)
        self.names = names
        self.network = network
        (internet, nameServer) = try await network.internet.run {
            if let hidden, let prefix = NetworkPrefix("\(hidden)/32") {
                var kernel = try RouteNetlink()
                try kernel.setLink(1, up: true)
                try kernel.addAddress(prefix, to: 1)
            }
            return (
                try ScriptedInternet(
                    behavior, address: address, httpPort: 80, httpsPort: 443, names: hosts),
                try ScriptedNameServer(playing: names, address: "203.0.113.53")
            )
        }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try configureNames("nameserver \(resolver)\noptions timeout:1 attempts:2\n")
        try trust(internet.trustAnchor)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Replaces the resolv.conf(5) of programs that are started from now on.
    func configureNames(_ configuration: String) throws {
        try Data(configuration.utf8).write(to: file("resolv.conf"))
    }

    /// Replaces the hosts(5) of programs that are started from now on.
    func configureHosts(_ text: String) throws { try Data(text.utf8).write(to: file("hosts")) }

    /// Replaces the authority that programs trust.
    func trust(_ certificate: String) throws { try Data(certificate.utf8).write(to: file("authority.pem")) }

    /// Makes systemd-networkd's files announce a captive portal API to programs that are started from now on.
    func announcePortal(_ url: String, on link: Int32) throws {
        try FileManager.default.createDirectory(at: file("netif/links"), withIntermediateDirectories: true)
        try Data("CAPTIVE_PORTAL=\(url)\n".utf8).write(to: file("netif/links/\(link)"))
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The options for endpoints over HTTP and HTTPS.
    static let endpoints = [
        "--endpoint", "http://\(host)/generate_204", "--endpoint", "https://\(host)/generate_204",
        "--endpoint", "http://\(host)/success.txt body:success",
    ]

    /// Runs a program in the client's namespace, with the lab's name server and authority.
    func run(
        _ arguments: [String], environment: [String: String] = [:], program: CommandRun.Program = .dialtone
    ) async throws -> CommandRun {
        try await CommandRun.start(
            Self.unshare, self.arguments(arguments, program), in: network.client, environment: variables(environment))
    }

    /// Runs the command as `run` does, and returns how often it read the kernel's whole state.
    func kernelReads(_ arguments: [String]) async throws -> Int {
        let (supervision, supervisor) = (Supervision(), try Supervision.Supervisor())
        let (arguments, variables) = (self.arguments(arguments), variables([:]))
        let run = try await network.client.run {
            try supervision.begin(supervisor)
            return try CommandRun(Self.unshare, arguments, environment: variables)
        }
        _ = try await run.exitStatus()
        return supervision.kernelReads
    }

    /// Runs the command as `run` does, on a terminal.
    func runOnTerminal(_ arguments: [String], environment: [String: String] = [:]) async throws -> TerminalRun {
        try await TerminalRun.start(
            Self.unshare, self.arguments(arguments), in: network.client, environment: variables(environment))
    }

    private static let unshare = CommandRun.Program(path: "/usr/bin/unshare")

    private func arguments(_ arguments: [String], _ program: CommandRun.Program = .dialtone) -> [String] {
        let script = """
            mount --bind "$0/resolv.conf" /etc/resolv.conf &&
            { ! [ -e "$0/hosts" ] || mount --bind "$0/hosts" /etc/hosts; } &&
            { ! [ -d "$0/netif" ] || { mount -t tmpfs tmpfs /run && mkdir /run/systemd && cp -r "$0/netif" /run/systemd; }; } &&
            exec "$@"
            """
        let command = [folder.path, program.path] + arguments
        return ["--mount", "/bin/sh", "-c", script] + command
    }

    private func variables(_ environment: [String: String]) -> [String: String] {
        ["SSL_CERT_FILE": file("authority.pem").path].merging(environment) { $1 }
    }
}

extension Capability {
    /// A private resolv.conf: unshare(1) and the permission to mount.
    static let ownResolverFile = Capability("a private mount namespace") {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--mount", "/bin/sh", "-c", "mount --bind /dev/null /etc/resolv.conf"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
