// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import Synchronization
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// Host reachability with a connection.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct HostConnectionTests {
    @Test(arguments: ["192.0.2.1:80", "198.51.100.7:80", "[2001:db8::1]:80", "http://[2001:db8:7::7]/"])
    func `a server that listens is reachable, with proof`(text: String) async throws {
        let lab = try await HostLab()
        let host = try lab.host(text, connects: true)
        let server = try lab.listen(on: host.target.hostText, port: 80)
        let report = await host.check()
        #expect(report.state == .reachable)
        #expect(report.connection?.value.map { "\($0)" } == host.target.hostText)
        #expect(report.port == 80)
        #expect(report.attempts.map(\.outcome) == [.connected])
        #expect(report.resolution == nil)
        withExtendedLifetime(server) {}
    }

    @Test func `without a port it is 443`() async throws {
        let lab = try await HostLab()
        let server = try lab.listen(on: "192.0.2.1", port: 443)
        let report = try await lab.host("192.0.2.1", connects: true).check()
        #expect(report.port == 443)
        #expect(report.state == .reachable)
        withExtendedLifetime(server) {}
    }

    @Test func `a host that refuses is unreachable with that error, although there is a route to it`() async throws {
        let report = try await HostLab().host("198.51.100.7:81", connects: true).check()
        #expect(report.state == .unreachable)
        #expect(report.error?.code == .refused)
        #expect(report.route.value?.gateway?.description == "192.0.2.1")
    }

    @Test func `a silent host fails at the time limit`() async throws {
        let report = try await HostLab().host("203.0.113.9:80", connects: true, timeout: .seconds(2)).check()
        #expect(report.state == .unreachable)
        #expect(report.connection?.error?.code == .timedOut)
        #expect(report.attempts.map(\.outcome) == [.abandoned])
        #expect(try #require(report.connection).duration >= .seconds(1))
    }

    @Test func `a route that rejects fails at once`() async throws {
        let report = try await HostLab().host("100.64.0.1:80", connects: true).check()
        #expect(report.connection?.error?.code == .unreachable)
        #expect(report.error?.code == .unreachable)
    }

    @Test func `a name with both families is reached over IPv6`() async throws {
        let lab = try await HostLab()
        let servers = [try lab.listen(on: "198.51.100.7", port: 80), try lab.listen(on: "2001:db8:7::7", port: 80)]
        let names = TestResolver(
            ipv4: ["both.example": .addresses(["198.51.100.7"])], ipv6: ["both.example": .addresses(["2001:db8:7::7"])])
        let report = try await lab.host("both.example:80", connects: true, resolver: names, awaitsBoth: true).check()
        #expect(report.state == .reachable)
        #expect(report.connection?.value?.description == "2001:db8:7::7")
        #expect(report.route.value?.gateway?.description == "2001:db8::1")
        #expect(report.resolution?.value?.contains { $0.version == .ipv6 } == true)
        withExtendedLifetime(servers) {}
    }

    @Test(arguments: ["2001:db8:7::7", "2001:db8:dead::1"])
    func `if IPv6 refuses or is silent, IPv4 wins`(ipv6: String) async throws {
        let lab = try await HostLab()
        let server = try lab.listen(on: "198.51.100.7", port: 80)
        let names = TestResolver(
            ipv4: ["half.example": .addresses(["198.51.100.7"])], ipv6: ["half.example": .addresses([ipv6])])
        let report = try await lab.host("half.example:80", connects: true, resolver: names, awaitsBoth: true).check()
        #expect(report.connection?.value?.description == "198.51.100.7")
        #expect(report.attempts.count == 2)
        #expect(Set(report.resolution?.value?.map(\.description) ?? []) == ["198.51.100.7", ipv6])
        withExtendedLifetime(server) {}
    }

    @Test(
        arguments: [
            (.error(.hostNotFound), .error(.hostNotFound), .nameNotFound),
            (.error(.noAddress), .error(.hostNotFound), .noAddress), (.addresses([]), .addresses([]), .noAddress),
            (.error(.nameServerFailure), .error(.noAddress), .resolverFailed),
            (.silence, .error(.noAddress), .resolverSilent), (.silence, .silence, .resolverSilent),
            (.error(.nameServerRefused), .error(.nameServerRefused), .resolverRefused),
            (.error(.nameServerSilent), .error(.nameServerUnreachable), .resolverUnreachable),
        ] as [(TestResolver.Answer, TestResolver.Answer, HostError.Code)])
    func `each failure of resolution has its own error`(
        ipv6: TestResolver.Answer, ipv4: TestResolver.Answer, code: HostError.Code
    ) async throws {
        let names = TestResolver(ipv4: ["bad.example": ipv4], ipv6: ["bad.example": ipv6])
        // Only a silent server takes until the time limit.
        let timeout = code == .resolverSilent ? Duration.milliseconds(80) : .seconds(3600)
        let report = try await HostLab()
            .host("bad.example", connects: true, timeout: timeout, resolver: names).check()
        #expect(report.state == .unreachable)
        #expect(report.resolution?.error?.code == code)
        #expect(report.error?.code == code)
        #expect(report.connection == nil)
        #expect(report.route.value != nil)
    }

    @Test func `a silent name server does not hold up the family that answers`() async throws {
        let lab = try await HostLab()
        let server = try lab.listen(on: "198.51.100.7", port: 80)
        let names = TestResolver(
            ipv4: ["slow.example": .addresses(["198.51.100.7"])], ipv6: ["slow.example": .silence])
        let report = try await lab.host("slow.example:80", connects: true, resolver: names).check()
        #expect(report.state == .reachable)
        withExtendedLifetime(server) {}
    }

    @Test func `a cancelled check ends at once`() async throws {
        let host = try await HostLab().host("203.0.113.9:80", connects: true, timeout: .seconds(3600))
        let check = Task { await host.check() }
        check.cancel()
        let report = await check.value
        #expect(report.state != .reachable)
    }

    @Test func `hundreds of checks, some cut short, leave no descriptor behind`() async throws {
        let lab = try await HostLab()
        let server = try lab.listen(on: "192.0.2.1", port: 80)
        let sockets = SocketTally()
        let environment = sockets.watching(lab.environment())
        let hosts = try ["192.0.2.1:80", "192.0.2.1:81", "203.0.113.9:80"].map {
            HostReachability(
                try HostTarget($0), connects: true, timeout: .milliseconds(5), environment: environment)
        }
        await withTaskGroup { group in
            for number in 0..<300 {
                group.addTask { _ = await hosts[number % 3].check() }
                if number % 7 == 0 { await group.next() }
            }
            group.cancelAll()
        }
        #expect(sockets.count > 0)
        // Sources close their descriptors asynchronously.
        try await eventually { sockets.open == 0 }
        withExtendedLifetime(server) {}
    }

    @Test func `a host is checked again when the route to it changes`() async throws {
        let lab = try await HostLab()
        let server = try lab.listen(on: "198.51.100.7", port: 80)
        let names = TestResolver(
            ipv4: ["watched.example": .addresses(["198.51.100.7"])], ipv6: ["watched.example": .error(.noAddress)])
        let reports = Recorder<HostReport>()
        let host = try lab.host("watched.example:80", connects: true, resolver: names)
        let watching = Task { for await report in host.updates() { reports.record(report) } }
        defer { watching.cancel() }
        #expect(try await reports.next().state == .reachable)
        // Only the resolved address's route changes.
        var kernel = try RouteNetlink(in: lab.machine)
        try kernel.addRoute(NewRoute("198.51.100.7/32", type: .unreachable))
        let blocked = try await reports.next()
        #expect(blocked.error?.code == .unreachable)
        #expect(blocked.route.error?.diagnosis?.reason == .routeUnreachable)
        try kernel.deleteRoute(NewRoute("198.51.100.7/32", type: .unreachable))
        #expect(try await reports.next().state == .reachable)
        #expect(reports.values.count == 3)
        withExtendedLifetime(server) {}
    }
}

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct HostRecheckTests {
    @Test func `a server that stops or restarts is noticed at the interval`() async throws {
        let lab = try await HostLab()
        var server: TCPListener? = try lab.listen(on: "192.0.2.1", port: 80)
        let reports = Recorder<HostReport>()
        let host = try lab.host("192.0.2.1:80", connects: true)
        let watching = Task {
            for await report in host.updates(checkingEvery: .milliseconds(100)) { reports.record(report) }
        }
        defer { watching.cancel() }
        #expect(try await reports.next().state == .reachable)
        server = nil
        // A connection that the server had not accepted is reset when it ends.
        let dead = try await reports.next { $0.error?.code == .refused }
        #expect(dead.route.value != nil)
        server = try lab.listen(on: "192.0.2.1", port: 80)
        #expect(try await reports.next().state == .reachable)
        // Each report differs from the previous one.
        #expect(reports.values.count <= 4)
        withExtendedLifetime(server) {}
    }
}

/// The sockets that one test opened, apart from those of concurrent tests.
private final class SocketTally: Sendable {
    private struct Noted: Sendable {
        weak let socket: Descriptor?
    }

    private let noted = Mutex<[Noted]>([])

    /// The number of sockets that were opened.
    var count: Int { noted.withLock { $0.count } }
    /// The number of sockets that are still open.
    var open: Int { noted.withLock { $0.count { $0.socket != nil } } }

    /// The same environment, with its sockets recorded.
    func watching(_ environment: HostEnvironment) -> HostEnvironment {
        var watched = environment
        watched.openSocket = { version throws(SystemError) in
            let socket = try environment.openSocket(version)
            self.noted.withLock { $0.append(Noted(socket: socket)) }
            return socket
        }
        return watched
    }
}
#endif
