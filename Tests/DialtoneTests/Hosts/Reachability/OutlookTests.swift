// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Glibc
import Netlink
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// Decisions from routes alone, before anything is sent.
struct ContactsTests {
    private static let noRoute = Result<HostRoute, HostError>.failure(HostError(.noRoute))
    private static let route = Result<HostRoute, HostError>.success(HostRoute(isDirect: true))

    private func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)) }

    @Test(arguments: [
        // Hosts, name servers, the addresses that have a route, and whether a host may be reachable.
        (["192.0.2.7"], ["203.0.113.53"], ["203.0.113.53"], false), (["192.0.2.7"], [], ["192.0.2.7"], true),
        (["192.0.2.7", "192.0.2.8"], [], ["192.0.2.8"], true), (["a.example"], ["203.0.113.53"], [], false),
        (["a.example"], ["203.0.113.53", "192.0.2.53"], ["192.0.2.53"], true),
        // A forwarder on this machine always has a route, which proves nothing.
        (["a.example"], ["127.0.0.53"], ["127.0.0.53"], false), (["a.example"], [], [], false),
        (["localhost"], [], ["127.0.0.1"], true), (["a.example", "127.0.0.1"], [], ["127.0.0.1"], true),
    ])
    func `one address with a route is enough`(
        hosts: [String], nameServers: [String], routed: [String], canBeReached: Bool
    ) throws {
        let hosts = try hosts.map { try HostTarget($0).host }
        let contacts = HostEnvironment.Contacts(hosts, nameServers: try nameServers.map { .init(try address($0)) }, nil)
        let routed = Set(try routed.map(address))
        let routes = contacts.addresses.map { ($0, routed.contains($0) ? Self.route : Self.noRoute) }
        #expect(contacts.canBeReached(Dictionary(uniqueKeysWithValues: routes)) == canBeReached)
    }

    private static func environment(refusing errors: [IPVersion: Int32]) -> HostEnvironment {
        HostEnvironment(routing: KernelRouting(), resolver: TestResolver()) { version throws(SystemError) in
            if let number = errors[version] { throw SystemError(number) }
            return try Sockets.openSocket(version, .stream)
        }
    }

    @Test(arguments: [EPERM, EACCES, EAFNOSUPPORT])
    func `a sandbox that refuses the sockets of both versions is the cause`(number: Int32) async throws {
        let environment = Self.environment(refusing: [.ipv4: number, .ipv6: number])
        let host = HostTarget.Host.address(NetworkAddress(192, 0, 2, 7))
        let refusal = try #require(await environment.obstacle(to: host))
        #expect(refusal.code == .denied && refusal.errorNumber == number)
        #expect(refusal.description.hasPrefix("A sandbox forbids network sockets"))
        #expect(await environment.outlook(on: [host]) == .blocked(refusal))
        #expect(await environment.obstacle(over: NetworkPath(status: .satisfied), resolving: true) == refusal)
    }

    @Test func `one version, and a lack of descriptors, is no sandbox`() {
        for errors in [[.ipv6: EAFNOSUPPORT], [.ipv4: EPERM], [.ipv4: EMFILE, .ipv6: EMFILE]] as [[IPVersion: Int32]] {
            #expect(Self.environment(refusing: errors).socketRefusal == nil)
        }
    }

    @Test func `an unknown route may exist`() throws {
        let address = try address("192.0.2.7")
        let contacts = HostEnvironment.Contacts([.address(address)], nameServers: [], nil)
        #expect(contacts.canBeReached([:]))
        #expect(contacts.canBeReached([address: .failure(HostError(.unknown))]))
        #expect(!contacts.canBeReached([address: Self.noRoute]))
    }

    /// Without a path and a name server, only multicast DNS may resolve a name.
    @Test(arguments: [("printer.local", true), ("Printer.LOCAL", true), ("printer.example", false)])
    func `only a name that is resolved on the link has a route without a name server`(
        name: String, hasRoute: Bool
    ) async throws {
        let address = NetworkAddress(192, 0, 2, 7)
        let host = NameServiceHost(nameServers: []) { _, _ in (.success([address]), .zero) }
        var environment = ScriptedNetwork(.home).transport.environment
        environment.routing = LinkRouting()
        environment.resolver = SystemResolver(of: host, over: environment.runner)
        #expect(try await HostTarget(name).hasRoute(in: environment) == hasRoute)
    }

    /// A machine without a path, which has a route to every address on its link.
    private struct LinkRouting: HostRouting {
        func watch(
            _ addresses: Set<NetworkAddress>, _ receive: @escaping @Sendable (HostView) -> Void
        ) -> HostRoutingWatch {
            var view = HostView(path: SimulatedPath.offline.path)
            for address in addresses { view.routes[address] = ContactsTests.route }
            receive(view)
            return HostRoutingWatch(onChange: { _ in }, onCancel: {})
        }
    }

    @Test func `the hosts file is parsed as by the C library`() {
        let hosts = HostsFile(
            parsing: """
                127.0.0.1 localhost
                #192.0.2.1 no.example
                192.0.2.2\tA.Example b.example # 192.0.2.3 c.example
                2001:db8::2 a.example a.example
                nowhere d.example
                """)
        #expect(hosts.addresses(of: "a.EXAMPLE").map(\.description) == ["192.0.2.2", "2001:db8::2"])
        for name in ["no.example", "c.example", "d.example", "192.0.2.2", ""] {
            #expect(hosts.addresses(of: name).isEmpty)
        }
    }

    @Test func `a pipe, a folder or a device in place of a file is not read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appending(path: "pipe").path(percentEncoded: false)
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/", "/dev/zero", "/nowhere"] { #expect(NameServiceFiles.text(path) == nil) }
        let file = folder.appending(path: "hosts")
        try Data("192.0.2.7 a.example\n".utf8).write(to: file)
        #expect(NameServiceFiles.text(file.path(percentEncoded: false)) == "192.0.2.7 a.example\n")
    }

    @Test func `the names of checks are absolute`() {
        let rows = [
            ("www.example.org", "www.example.org."), ("example.org.", "example.org."), ("intranet", "intranet"),
            ("192.0.2.1", "192.0.2.1"), ("printer.local", "printer.local"), ("app.localhost", "app.localhost"),
        ]
        for (name, absolute) in rows { #expect(SearchDomains.absoluteName(name, obeysNDots: false) == absolute) }
        #expect(SearchDomains.dots(in: "search a b\noptions timeout:1 ndots:5\n") == 5)
        #expect(SearchDomains.dots(in: "nameserver 192.0.2.1\n") == 1)
    }
}

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct OutlookTests {
    @Test func `a path reaches any host, an isolated link its own hosts, a dead link none`() async throws {
        let lab = try await HostLab()
        let environment = lab.environment(SearchDomainResolver())
        let (near, far) = (try HostTarget("192.0.2.1").host, try HostTarget("198.51.100.7").host)
        #expect(await environment.outlook(on: [far]) == .open)
        var kernel = try RouteNetlink(in: lab.machine)
        try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: lab.uplink))
        try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "2001:db8::1", interface: lab.uplink))
        guard case .isolated(let diagnosis) = await environment.outlook(on: [far, near]) else {
            Issue.record("not isolated")
            return
        }
        #expect(diagnosis?.reason == .noRoute)
        guard case .blocked(let error) = await environment.outlook(on: [far]) else {
            Issue.record("not blocked")
            return
        }
        #expect(error == HostError(.noRoute, diagnosis: diagnosis))
        try kernel.setLink(lab.uplink, up: false)
        guard case .blocked = await environment.outlook(on: [near, far]) else {
            Issue.record("not blocked")
            return
        }
        // A program's own resolver may resolve names without any network.
        #expect(await lab.environment().outlook(on: [far]) == .open)
    }

    @Test func `the routes to hosts are reported as they come and go`() async throws {
        let lab = try await HostLab()
        let routes = Recorder<[NetworkAddress: HostRoute]>()
        let (near, far) = (try HostTarget("192.0.2.1").host, try HostTarget("198.51.100.7").host)
        let watch = lab.environment(SearchDomainResolver()).watchRoutes(to: [near, far]) { routes.record($0) }
        #expect(try await routes.next().values.map(\.isDirect).sorted { $0 && !$1 } == [true, false])
        var kernel = try RouteNetlink(in: lab.machine)
        try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1), interface: lab.uplink))
        #expect(try await routes.next().keys.map(\.description) == ["192.0.2.1"])
        try kernel.addRoute(NewRoute("198.51.100.7/32", via: NetworkAddress(192, 0, 2, 1)))
        #expect(try await routes.next().count == 2)
        try kernel.setLink(lab.uplink, up: false)
        _ = try await routes.next { $0.isEmpty }
        watch.cancel()
    }

    @Test func `without a path every host has the path's diagnosis`() async throws {
        let lab = try await HostLab()
        try RouteNetlink.downLink(lab.uplink, in: lab.machine)
        var texts: Set<String> = []
        for host in ["198.51.100.7", "192.0.2.1", "2001:db8::1", "name.example"] {
            let report = try await HostReachability(
                HostTarget(host), connects: true, timeout: .seconds(60),
                environment: lab.environment(SearchDomainResolver())
            ).check()
            #expect(report.error?.code == .noRoute)
            #expect(report.attempts.isEmpty)
            texts.insert("\(try #require(report.error))")
        }
        #expect(texts == ["up0 is switched off."])
    }
}

extension RouteNetlink {
    fileprivate static func downLink(_ index: Int32, in namespace: NetworkNamespace) throws {
        var kernel = try RouteNetlink(in: namespace)
        try kernel.setLink(index, up: false)
    }
}
#endif
