// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkState
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

struct HostReportTests {
    static let target = HostTarget(NetworkAddress.loopbacks[0], port: 80)
    static let way = HostStep(Result<HostRoute, HostError>.success(HostRoute()), .zero)
    static let noWay = HostStep(Result<HostRoute, HostError>.failure(HostError(.noRoute)), .zero)

    @Test(
        arguments: [
            (way, nil, nil, .reachable, nil), (noWay, nil, nil, .unreachable, .noRoute),
            (failed(.unknown), nil, nil, .unknown, .unknown),
            // Proof outweighs routing.
            (noWay, nil, success(NetworkAddress.loopbacks[0]), .reachable, nil),
            (way, nil, failed(.refused), .unreachable, .refused),
            (way, nil, failed(.timedOut), .unreachable, .timedOut),
            // A lack of resources on this machine says nothing about the host.
            (way, nil, failed(.system), .unknown, .system),
            (way, failed(.nameNotFound), nil, .unreachable, .nameNotFound),
            (noWay, failed(.resolverFailed), nil, .unreachable, .noRoute),
            (way, failed(.system), nil, .unknown, .system),
        ]
            as [(
                HostStep<HostRoute>, HostStep<[NetworkAddress]>?, HostStep<NetworkAddress>?, HostReport.State,
                HostError.Code?
            )])
    func `the verdict follows from the steps`(
        route: HostStep<HostRoute>, resolution: HostStep<[NetworkAddress]>?, connection: HostStep<NetworkAddress>?,
        verdict: HostReport.State, code: HostError.Code?
    ) {
        let report = HostReport(target: Self.target, route: route, resolution: resolution, connection: connection)
        #expect(report.state == verdict)
        #expect(report.error?.code == code)
    }

    @Test func `changes are reported by name, and times and order do not count as changes`() {
        let addresses = NetworkAddress.loopbacks
        let old = HostReport(
            target: Self.target, route: Self.way, resolution: Self.success(addresses),
            connection: Self.success(addresses[0]))
        var new = old
        new.route.duration = .seconds(1)
        new.resolution = Self.success(addresses.reversed())
        new.attempts = [HostAttempt(address: addresses[0], outcome: .connected, duration: .seconds(1))]
        #expect(new.changes(since: old).isEmpty)
        new.connection = Self.failed(.refused)
        #expect(new.changes(since: old) == ["reachable", "connected"])
        new = old
        new.resolution = Self.success([addresses[1]])
        new.route = Self.noWay
        #expect(new.changes(since: old) == ["route", "resolved"])
    }

    @Test(.real) func `if the network state cannot be read, an address is probed and a name is unknown`() async throws {
        let refusal = NetlinkError(.system, operation: "socket", errno: .permissionDenied)
        let source = ScriptedSource(NetworkSnapshot(visibility: .unavailable(because: refusal)))
        let environment = HostEnvironment(routing: KernelRouting(source: source), resolver: TestResolver()) {
            _ throws(SystemError) in throw SystemError(1)
        }
        func check(_ text: String) async throws -> HostReport {
            let target = try HostTarget(text)
            return await HostReachability(target, connects: false, timeout: .zero, environment: environment).check()
        }
        let local = try await check("127.0.0.1")
        #expect(local.state == .reachable)
        #expect(local.route.value?.isLocalAddress == true)
        let name = try await check("name.example")
        #expect(name.state == .unknown)
        #expect(name.error?.description.hasPrefix("The network state cannot be read") == true)
    }

    private static func failed<Value>(_ code: HostError.Code) -> HostStep<Value> {
        HostStep(.failure(HostError(code)), .zero)
    }

    private static func success<Value>(_ value: Value) -> HostStep<Value> { HostStep(.success(value), .zero) }
}
#endif
