// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
@testable import NetworkState
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct KernelSourceConformanceTests {
    @Test func `the kernel source meets the requirements`() async throws {
        let namespace = try NetworkNamespace()
        try await namespace.run {
            var kernel = try RouteNetlink()
            // The links are down, so that only the test changes them.
            try kernel.createLink(.veth(name: "one", peer: "two"))
        }
        let resolver = try ResolverFile()
        let source = KernelSource(resolverFiles: resolver.files)
        let suite = SourceConformance { receive in
            try await namespace.run { source.subscribe(receive) }
        } change: { number in
            try await namespace.run {
                var kernel = try RouteNetlink()
                let address = NetworkAddress(192, 0, 2, UInt8(number))
                try kernel.addAddress(NetworkPrefix(host: address), to: try kernel.link(named: "one").index)
            }
        }
        try await suite.check()
    }

    @Test func `recorded kernel messages result in the same states when replayed`() async throws {
        let lab = try await Lab()
        let recorder = try await lab.run { try NetworkRecorder() }
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24", "2001:db8::2/64"])
        try await lab.checkOfAddresses()
        let changes: [@Sendable (inout RouteNetlink) throws -> Void] = [
            { try $0.addDefault(via: "192.0.2.1", priority: 100) },
            { try $0.addDefault(via: "2001:db8::1", on: index) },
            { try $0.addRoute(NewRoute("0.0.0.0/1", type: .unreachable)) },
            { try $0.addRule(RuleMessage(family: .ipv4, action: .prohibit, priority: 9)) },
            { try $0.deleteAddress("192.0.2.2/24", from: index) },
            { try $0.setLink(index, up: false) },
            { try $0.deleteLink(index) },
        ]
        var states: [NetworkSnapshot] = []
        for change in changes {
            try await lab.change(change)
            _ = try await lab.live.updates {}
            guard let state = lab.live.snapshot else { continue }
            states.append(state)
            try await lab.run { try recorder.record(state) }
        }
        let replayed = try NetworkRecording(parsing: "\(recorder.recording)").snapshots()
        #expect(replayed == states)
    }
}
#endif
