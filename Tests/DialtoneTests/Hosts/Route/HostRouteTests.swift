// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import Synchronization
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// Host reachability without a connection: the routes to addresses.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct HostRouteTests {
    @Test(
        arguments: [
            ("192.0.2.1", "up0", nil, true, false), ("2001:db8::1", "up0", nil, true, false),
            ("198.51.100.7", "up0", "192.0.2.1", false, false), ("2001:db8:7::7", "up0", "2001:db8::1", false, false),
            ("192.0.2.2", "lo", nil, nil, true), ("127.0.0.1", "lo", nil, nil, true),
            ("[::1]:443", "lo", nil, nil, true),
            ("localhost", "lo", nil, nil, true), ("https://api.localhost/x", "lo", nil, nil, true),
            ("unknown.example", "up0", "192.0.2.1", false, false), ("0.0.0.0", "up0", "192.0.2.1", false, false),
        ] as [(String, String, String?, Bool?, Bool)])
    func `a route is reported with its interface and its gateway`(
        text: String, interface: String, gateway: String?, isDirect: Bool?, isLocal: Bool
    ) async throws {
        let lab = try await HostLab()
        let report = try await lab.host(text).check()
        #expect(report.state == .reachable)
        #expect(report.error == nil)
        let route = try #require(report.route.value)
        #expect(route.gateway?.description == gateway)
        #expect(route.isLocalAddress == isLocal)
        if let isDirect { #expect(route.isDirect == isDirect) }
        if !isLocal { #expect(route.interface?.name == interface) }
        #expect(report.resolution == nil)
        #expect(report.connection == nil)
        #expect(report.route.duration > .zero)
    }

    @Test func `a route that rejects is reported as unreachable`() async throws {
        let report = try await HostLab().host("100.64.0.1").check()
        #expect(report.state == .unreachable)
        #expect(report.error?.code == .noRoute)
        #expect(report.error?.diagnosis?.reason == .routeUnreachable)
    }

    @Test func `a missing route is reported with the path's diagnosis`() async throws {
        let namespace = try NetworkNamespace()
        let environment = HostEnvironment(
            routing: NamespaceRouting(namespace: namespace), resolver: TestResolver()
        ) { _ throws(SystemError) in throw SystemError(1) }
        for text in ["192.0.2.1", "2001:db8::1", "name.example"] {
            let host = HostReachability(
                try HostTarget(text), connects: false, timeout: .seconds(1), environment: environment)
            let report = await host.check()
            #expect(report.state == .unreachable)
            #expect(report.error?.diagnosis?.reason == .noInterface)
            #expect(report.error?.description == "This machine has no network interface except loopback.")
        }
    }

    @Test func `each change of the route is reported, and unrelated changes are not`() async throws {
        let lab = try await HostLab()
        let reports = Recorder<HostReport>()
        let host = try lab.host("198.51.100.7")
        let watching = Task { for await report in host.updates() { reports.record(report) } }
        defer { watching.cancel() }
        #expect(try await reports.next().route.value?.gateway?.description == "192.0.2.1")

        // A route to the host, which does not change the path, and then an unrelated route.
        var kernel = try RouteNetlink(in: lab.machine)
        try kernel.addRoute(NewRoute("203.0.113.0/24", via: "192.0.2.1", interface: lab.uplink))
        try kernel.addRoute(NewRoute("198.51.100.7/32", type: .unreachable))
        #expect(try await reports.next().error?.diagnosis?.reason == .routeUnreachable)
        try kernel.deleteRoute(NewRoute("198.51.100.7/32", type: .unreachable))
        #expect(try await reports.next().state == .reachable)
        try kernel.setLink(lab.uplink, up: false)
        #expect(try await reports.next { $0.state == .unreachable }.error?.code == .noRoute)
        #expect(reports.values.count == 4)
    }

    @Test func `a loop that ends releases everything`() async throws {
        let lab = try await HostLab()
        let host = try lab.host("192.0.2.1")
        weak var source: KernelSource?
        for await report in host.updates() {
            #expect(report.state == .reachable)
            source = try await lab.machine.run { KernelSource.shared() }
            #expect(source != nil)
            break
        }
        let task = Task { for await _ in host.updates() {} }
        task.cancel()
        await task.value
        // Its thread holds it for as long as anything subscribes.
        try await eventually { source == nil }
    }

    @Test(.timeLimit(.minutes(5))) func `loops that end while they start never get stuck`() async throws {
        let host = try HostReachability("127.0.0.1")
        await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    let loop = Task { for await _ in host.updates() {} }
                    for _ in 0..<number % 41 { await Task.yield() }
                    loop.cancel()
                    await loop.value
                }
            }
        }
    }

    /// A cancelled loop takes the lock, which must not be held during the delivery.
    @Test(.timeLimit(.minutes(5))) func `reports are delivered outside the lock`() async throws {
        let watcher = Mutex<HostWatcher?>(nil)
        let told = Recorder<HostReport>()
        let new = HostWatcher(try HostReachability("127.0.0.1"), interval: nil) { report in
            watcher.withLock { $0 }?.cancel()
            told.record(report)
        }
        watcher.withLock { $0 = new }
        new.start()
        _ = try await told.next()
    }
}
#endif
