// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// Networks that translate packets on their way to the Internet, or lose some of them.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct AccessNetworkTests {
    /// The well-known prefix, and one of the network's own (RFC 6052).
    @Test(arguments: ["64:ff9b::", "2001:db8:64::"])
    func `an IPv6-only network with DNS64 and NAT64 is online`(prefix: String) async throws {
        let lab = try await TranslatedLab(prefix: prefix)
        let check = try await lab.run(["check", "--timeout", "30"] + TranslatedLab.endpoints)
        #expect(try await check.exitStatus(timeout: .seconds(120)) == 0, "\(check.output.values)")
        #expect(check.output.values.first?.hasPrefix("Online over up0 (wired Ethernet): ") == true)
        let passed = check.output.values.filter { $0.hasPrefix("  passed ") }
        #expect(passed.contains { $0.contains("https://") && $0.contains(", \(lab.server), ") }, "\(passed)")
        let status = try await lab.run(["status", "--json", "--timeout", "30"] + TranslatedLab.endpoints)
        #expect(try await status.exitStatus(timeout: .seconds(120)) == 0)
        let line = try #require(status.output.values.first)
        #expect(line.contains(#""supportsIPv4":false"#) && line.contains(#""supportsIPv6":true"#), "\(line)")
        #expect(line.contains(#""connectivity":"online""#) && line.contains(#""verdict":"verified""#), "\(line)")
        let wait = try await lab.run(["wait", "--for", "internet", "--timeout", "60"] + TranslatedLab.endpoints)
        #expect(try await wait.exitStatus(timeout: .seconds(120)) == 0)
        let host = try await lab.run(["host", TranslatedLab.name, "--connect"])
        #expect(try await host.exitStatus(timeout: .seconds(120)) == 0, "\(host.output.values)")
    }
}

/// A machine with IPv6 only, behind a router that translates to IPv4: a server of the IPv4 Internet has an address in the
/// router's prefix, which the network's name server returns for its name.
private final class TranslatedLab: Sendable {
    /// A public name, whose address must not be taken for a forgery.
    static let name = "one.example.org"
    static let endpoints = [
        "--endpoint", "http://\(name)/generate_204", "--endpoint", "https://\(name)/generate_204",
        "--endpoint", "http://\(name)/success.txt body:success",
    ]

    /// The address of the server as the machine sees it: 198.51.100.1 behind the prefix.
    let server: String
    private let machine: NetworkNamespace
    private let router: NetworkNamespace
    private let internet: ScriptedInternet
    private let nameServer: ScriptedNameServer
    private let folder: TemporaryFolder

    init(prefix: String) async throws {
        let address = try #require(NetworkAddress(prefix + "198.51.100.1"))
        server = "\(address)"
        let (machine, router) = (try NetworkNamespace(), try NetworkNamespace())
        (self.machine, self.router) = (machine, router)
        // Otherwise a neighbor cannot be found until duplicate address detection has ended, and is reported as unreachable after
        // three seconds.
        for host in [machine, router] { try await host.run { try Setting.write("ipv6/conf/default/accept_dad", 0) } }
        let uplink = try await machine.connect("up0", to: router, as: "far0").near
        try await machine.add(["2001:db8:1::2/64"], to: "up0")
        try await router.add(["2001:db8:1::1/64"], to: "far0")
        try await router.add([NetworkPrefix(host: address)], to: "lo")
        var kernel = try RouteNetlink(in: machine)
        try kernel.addRoute(NewRoute(.all(.ipv6), via: "2001:db8:1::1", interface: uplink))
        let names = ScriptedResolver([Self.name: .addresses(server)])
        let server = server
        (internet, nameServer) = try await router.run {
            (
                try ScriptedInternet(.online, address: server, httpPort: 80, httpsPort: 443, names: [Self.name]),
                try ScriptedNameServer(playing: names, address: "2001:db8:1::1")
            )
        }
        folder = try TemporaryFolder()
        try Data("nameserver 2001:db8:1::1\n".utf8).write(to: folder.file("resolv.conf"))
        try Data(internet.trustAnchor.utf8).write(to: folder.file("authority.pem"))
    }

    func run(_ arguments: [String]) async throws -> CommandRun {
        try await CommandRun.start(
            CommandRun.Program(path: "/usr/bin/unshare"),
            ["--mount", "/bin/sh", "-c", "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""]
                + [folder.file("resolv.conf").path, CommandRun.Program.dialtone.path] + arguments,
            in: machine, environment: ["SSL_CERT_FILE": folder.file("authority.pem").path])
    }
}

/// A folder that is removed with its contents.
private final class TemporaryFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }
}
