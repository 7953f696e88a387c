// SPDX-License-Identifier: Apache-2.0

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
    func `a step survives a round trip as text`(step: NetworkRecording.Step) throws {
        #expect(try NetworkRecording(parsing: "\(step)").steps == [step])
    }

    @Test func `a recording survives a round trip as text, and comments are skipped`() throws {
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
    func `an invalid line is reported by its number`(line: String) {
        #expect(throws: NetworkRecordingError(line: 2, text: line)) {
            try NetworkRecording(parsing: "publish\n\(line)\n")
        }
    }

    /// The kernel's description of a GRE tunnel to 203.0.113.9, up and running, recorded on Linux 6.1.
    private static let tunnel = bytes(
        """
        94010000100000000100000098c22edf00000a0308000000d1000100000000000900030074756e390000000008000d00e8030000
        0500100002000000050011000000000008000400c40500000800320000000000080033000000000008001b000000000008001e00
        0000000008003d000000000008001f000100000008002800ffff0000080029000000010008003a000000010008003b0000000100
        08003c00ffff000008002000010000000500210001000000090006006e6f6f7000000000080023000000000008002f0000000000
        08003000000000000500270000000000080001000000000008000200cb0071090c002b0005000200000000009000120008000100
        67726500840002000800010000000000060002000000000006000300000000000800040000000000080005000000000008000600
        0000000008000700cb0071090500080000000000050009000000000005000a0001000000080014000000000006000e0000000000
        0600100000000000060011000000000006000f000000000005001300000000000800050000000000
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8.filter { $0 != UInt8(ascii: "\n") })
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    @Test func `a recorded tunnel is carried by the link that leads to its other end`() throws {
        var recording = NetworkRecording()
        recording.steps += [
            .datagram(try Wire.link(.newLink, 2, name: "eth0")), .datagram(try Wire.link(.newLink, 3, name: "eth1")),
            .datagram(Self.tunnel), .datagram(try Wire.address(.newAddress, "10.7.0.2/24", on: 8)),
        ]
        recording.steps += ReferenceLookups.representatives(.ipv4).map {
            .answer(RouteAnswer($0, .via(nil, on: 8)), over: nil)
        }
        recording.steps += [
            .publish, .answer(RouteAnswer("203.0.113.9", .via("198.51.100.1", on: 3)), over: nil), .publish,
            .answer(RouteAnswer("203.0.113.9", .via("192.0.2.1", on: 2)), over: nil), .publish,
        ]
        let snapshots = try recording.snapshots()
        #expect(snapshots.map { $0.interface(8)?.carrierIndex } == [nil, 3, 2])
        #expect(snapshots.map { PathEvaluator($0).evaluate().status } == [.satisfied, .satisfied, .satisfied])
        #expect(PathEvaluator(snapshots[2]).evaluate().usedInterfaceTypes == [.other, .wiredEthernet])
    }

    @Test func `an invalid datagram is a typed error`() throws {
        let bytes = try Wire.link(name: "eth0")
        for count in 1..<bytes.count {
            let recording = NetworkRecording([.datagram(Array(bytes[..<count]))])
            #expect(throws: NetlinkError.self) { try recording.snapshots() }
        }
    }

    @Test func `messages and answers become states`() throws {
        let upper = ReferenceLookups.representatives(.ipv4).suffix(2)
        var steps: [NetworkRecording.Step] = [
            .datagram(try Wire.link(name: "eth0") + Wire.address()), .publish,
        ]
        steps += ReferenceLookups.representatives(.ipv4).map { .answer(RouteAnswer($0, .via("192.0.2.1")), over: nil) }
        steps += [.resolver(ResolverConfiguration(servers: [.init("192.0.2.53")])), .publish]
        steps += upper.map { .answer(RouteAnswer($0, .noRoute), over: nil) }
        steps += [.publish, .datagram(try Wire.link(.deleteLink, name: "eth0")), .rejectingRule(true), .publish]
        let snapshots = try NetworkRecording(steps).snapshots()
        let paths = snapshots.map { PathEvaluator($0).evaluate() }
        #expect(paths.map(\.status) == [.unsatisfied, .satisfied, .unsatisfied, .unsatisfied])
        #expect(paths.map(\.supportsDNS) == [false, true, false, false])
        #expect(paths.map(\.diagnosis?.reason) == [.noRoute, nil, .noRoute, .noInterface])
        #expect(snapshots.map(\.hasRejectingRule) == [false, false, false, true])
    }
}
