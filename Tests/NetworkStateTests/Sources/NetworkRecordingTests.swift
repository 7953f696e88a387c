//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct NetworkRecordingTests {
    private static let steps: [NetworkRecording.Step] = [
        .datagram([0, 1, 254, 255]),
        .resolver(ResolverConfiguration()),
        .resolver(
            ResolverConfiguration(
                servers: [.init("192.0.2.53"), .init("fe80::1", scope: "eth0")], searchDomains: ["example.org", "corp"])
        ),
        .rejectingRule(true),
        .rejectingRule(false),
        .answer(RouteAnswer("24.48.0.1", .noRoute), over: nil),
        .answer(RouteAnswer("24.48.0.1", .rejected), over: 3),
        .answer(RouteAnswer("24.48.0.1", .via("192.0.2.1")), over: nil),
        .answer(
            RouteAnswer(
                "2403:300::1",
                .route(
                    FoundRoute(
                        prefixLength: 3, priority: 1024, type: .local,
                        nextHops: [
                            NextHop(interface: 2, gateway: "fe80::1", flags: .linkDown, weight: 5),
                            NextHop(interface: 3), NextHop(gateway: "192.0.2.1"),
                        ], preferredSource: "2001:db8::2"))), over: 77),
        .publish,
    ]

    @Test(arguments: steps)
    func `a step survives being written and read`(step: NetworkRecording.Step) throws {
        #expect(try NetworkRecording(parsing: "\(step)").steps == [step])
    }

    @Test func `a recording survives it too, and comments are skipped`() throws {
        let recording = NetworkRecording(Self.steps)
        #expect(try NetworkRecording(parsing: "# a comment\n\n\(recording)") == recording)
    }

    @Test(arguments: [
        "nonsense", "publish now", "datagram", "datagram 0", "datagram zz", "datagram 00 00", "rejecting-rule maybe",
        "resolver example.org", "route", "route nowhere : none", "route 24.48.0.1", "route 24.48.0.1 :",
        "route 24.48.0.1 : none at all", "route 24.48.0.1 over : none", "route 24.48.0.1 over x : none",
        "route 24.48.0.1 : unicast", "route 24.48.0.1 : unicast 0", "route 24.48.0.1 : unicast /300",
        "route 24.48.0.1 : unicast /0 via 192.0.2.1", "route 24.48.0.1 : unicast /0 hop", "route 24.48.0.1 : type x /0",
        "route 24.48.0.1 : unicast /0 hop 2 metric 1", "route 24.48.0.1 : unicast /0 hop 2 via there",
    ])
    func `what is not understood is named with its line`(line: String) {
        #expect(throws: NetworkRecordingError(line: 2, text: line)) {
            try NetworkRecording(parsing: "publish\n\(line)\n")
        }
    }

    @Test func `a datagram that lies is a typed error`() throws {
        let bytes = try Wire.link(name: "eth0")
        for count in 1..<bytes.count {
            let recording = NetworkRecording([.datagram(Array(bytes[..<count]))])
            #expect(throws: NetlinkError.self) { try recording.snapshots() }
        }
    }

    @Test func `messages and answers become states`() throws {
        let upper = RoutingQuestions.representatives(.ipv4).suffix(2)
        var steps: [NetworkRecording.Step] = [
            .datagram(try Wire.link(name: "eth0") + Wire.address()), .publish,
        ]
        steps += RoutingQuestions.representatives(.ipv4).map { .answer(RouteAnswer($0, .via("192.0.2.1")), over: nil) }
        steps += [.resolver(ResolverConfiguration(servers: [.init("192.0.2.53")])), .publish]
        steps += upper.map { .answer(RouteAnswer($0, .noRoute), over: nil) }
        steps += [.publish, .datagram(try Wire.link(.deleteLink, name: "eth0")), .rejectingRule(true), .publish]
        let snapshots = try NetworkRecording(steps).snapshots()
        let paths = snapshots.map { PathEvaluator($0).evaluate() }
        #expect(paths.map(\.status) == [.unsatisfied, .satisfied, .unsatisfied, .unsatisfied])
        #expect(paths.map(\.supportsDNS) == [false, true, false, false])
        #expect(paths.map(\.obstacle?.reason) == [.noRoute, nil, .noRoute, .noInterface])
        #expect(snapshots.map(\.hasRejectingRule) == [false, false, false, true])
    }
}
