// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import NetworkModel
import TestSupport
import Testing

@testable import Dialtone

/// Why a connection could not be established, from routes and neighbors, as a table.
struct ConnectionObstacleTests {
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        /// The routes to the host's addresses.
        let routes: [NetworkAddress: Result<HostRoute, HostError>]
        /// The neighbors that are known to be there, or not to be.
        var present: Set<NetworkAddress> = []
        var absent: Set<NetworkAddress> = []
        let code: HostError.Code?
    }

    private static let four = NetworkAddress(203, 0, 113, 1)
    private static let six: NetworkAddress = "2001:db8::1"
    private static let router = NetworkAddress(192, 0, 2, 1)
    private static let sixRouter: NetworkAddress = "2001:db8:1::1"
    private static let missing = Result<HostRoute, HostError>.failure(HostError(.noRoute))

    private static func via(_ gateway: NetworkAddress) -> Result<HostRoute, HostError> {
        .success(HostRoute(interface: link, gateway: .init(gateway, interface: link.name)))
    }
    private static let link = NetworkPath.Interface(name: "up0", index: 2, type: .wiredEthernet)
    private static let onLink = Result<HostRoute, HostError>.success(HostRoute(interface: link, isDirect: true))

    static let rows = [
        Row(description: "no route", routes: [four: missing, six: missing], code: .noRoute),
        Row(description: "silent router", routes: [four: via(router)], absent: [router], code: .routerSilent),
        Row(
            description: "silent router, and no other family", routes: [four: via(router), six: missing],
            absent: [router], code: .routerSilent),
        Row(
            description: "one router of two is silent", routes: [four: via(router), six: via(sixRouter)],
            present: [router], absent: [sixRouter], code: nil),
        Row(
            description: "both routers are silent", routes: [four: via(router), six: via(sixRouter)],
            absent: [router, sixRouter], code: .routerSilent),
        Row(description: "a router that is there", routes: [four: via(router)], present: [router], code: nil),
        Row(description: "a router of unknown state", routes: [four: via(router)], code: nil),
        Row(
            description: "dead host on the link", routes: [four: onLink], absent: [four], code: .unreachable),
        Row(
            description: "live host on the link", routes: [four: onLink], present: [four], code: nil),
        Row(
            description: "tunnel without neighbors", routes: [four: .success(HostRoute(interface: link))],
            absent: [four],
            code: nil),
        Row(
            description: "this machine", routes: [four: .success(HostRoute(isLocalAddress: true))], absent: [four],
            code: nil),
        Row(description: "unknown route", routes: [four: .failure(HostError(.unknown))], code: nil),
    ]

    @Test(arguments: rows) func `routes and neighbors show what is missing`(row: Row) {
        let view = HostView(path: NetworkPath(status: .satisfied), routes: row.routes)
        let absent = Set(row.absent.map { Neighbor($0, on: 2) })
        let error = view.obstacle(to: Set(row.routes.keys), absent: absent)
        #expect(error?.code == row.code)
        if row.code == .routerSilent { #expect(error?.description.contains("does not answer") == true) }
    }

    @Test(
        arguments: [
            (.noRoute, .unsatisfied, true), (.noRoute, .satisfied, false), (.noRoute, .requiresConnection, false),
            (.unknown, .unsatisfied, false), (.refused, .unsatisfied, false),
        ] as [(HostError.Code, PathStatus, Bool)])
    func `only a missing route has the diagnosis of a missing path`(
        code: HostError.Code, status: PathStatus, hasDiagnosis: Bool
    ) {
        let diagnosis = PathDiagnosis(.noCarrier)
        let view = HostView(
            path: NetworkPath(status: status, diagnosis: diagnosis),
            routes: [Self.four: .failure(HostError(code, errorNumber: 101))])
        let expected = HostError(code, errorNumber: 101, diagnosis: hasDiagnosis ? diagnosis : nil)
        #expect(view.route(to: HostTarget(Self.four)) == .failure(expected))
    }

    @Test(arguments: [
        (NeighborState.reachable, false), (.failed, true), (.incomplete, true), (.stale, false), (.delay, false),
        (.probe, false), (.permanent, false), (NeighborState(), false),
    ])
    func `the kernel's state shows whether a neighbor is absent`(state: NeighborState, isAbsent: Bool) {
        #expect(state.isAbsent == isAbsent)
    }
}
#endif
