// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// Requirements select among uplinks of several types: an ifb is of type `other`, a veth is wired.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RequirementTests {
    /// A preferred link of another type, and a wired uplink.
    private func twoUplinks() async throws -> Lab {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { kernel in
            try kernel.addDefault(via: "192.0.2.1", priority: 600)
            try kernel.createLink(.other(name: "other0", kind: "ifb"))
            let index = try kernel.link(named: "other0").index
            try kernel.setLink(index, up: true)
            try kernel.add("10.8.0.2/24", to: index)
            try kernel.addRoute(NewRoute(.all(.ipv4), via: "10.8.0.1", interface: index, priority: 50))
        }
        try await lab.expect(.satisfied("ipv4", over: ["other0", "up0"], gateways: ["10.8.0.1"]))
        return lab
    }

    private let wired = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])
    private let other = Seen.satisfied("ipv4", over: ["other0"], gateways: ["10.8.0.1"])

    @Test(.requires(.linkKind("ifb"))) func `a required type is found although another is preferred`() async throws {
        let lab = try await twoUplinks()
        let watch = try await lab.watch(PathFilter(requiredType: .wiredEthernet))
        #expect(Seen(watch.path) == wired)
        #expect(watch.path.usedInterfaceTypes == [.wiredEthernet])
    }

    @Test(.requires(.linkKind("ifb"))) func `a prohibited type is skipped`() async throws {
        let lab = try await twoUplinks()
        #expect(Seen(try await lab.watch(PathFilter(prohibitedTypes: [.other])).path) == wired)
        #expect(Seen(try await lab.watch(PathFilter(prohibitedTypes: [.wiredEthernet])).path) == other)
        let none = try await lab.watch(PathFilter(prohibitedTypes: [.wiredEthernet, .other]))
        #expect(Seen(none.path) == .unsatisfied(.noInterface))
    }

    @Test(.requires(.linkKind("ifb"))) func `an absent required type is not replaced by another`() async throws {
        let lab = try await twoUplinks()
        for type in [InterfaceType.wifi, .cellular] {
            let watch = try await lab.watch(PathFilter(requiredType: type))
            #expect(Seen(watch.path) == .unsatisfied(.noInterface))
        }
    }

    @Test(.requires(.linkKind("ifb"))) func `each requirement gets updates only of links that it allows`() async throws
    {
        let lab = try await twoUplinks()
        let watch = try await lab.watch(PathFilter(requiredType: .wiredEthernet))
        let updates = try await watch.updates {
            try await lab.change { kernel in
                try kernel.setLink(try kernel.link(named: "other0").index, up: false)
            }
        }
        #expect(updates == [])
        let lost = Seen.unsatisfied(.allDown, on: "up0")
        let own = try await watch.updates {
            try await lab.change { try $0.setLink(try $0.link(named: "up0").index, up: false) }
        }
        #expect(own.map(Seen.init) == [lost])
    }

    @Test(.requires(.linkKind("ifb"))) func `the public initializers have the same effect`() async throws {
        let lab = try await twoUplinks()
        let required = Recorder<NWPath>()
        let prohibited = Recorder<NWPath>()
        let monitors = [
            NWPathMonitor(requiredInterfaceType: .wiredEthernet), NWPathMonitor(prohibitedInterfaceTypes: [.other]),
        ]
        monitors[0].pathUpdateHandler = { required.record($0) }
        monitors[1].pathUpdateHandler = { prohibited.record($0) }
        try await lab.run { for monitor in monitors { monitor.start(queue: DispatchQueue(label: "requirement")) } }
        defer { for monitor in monitors { monitor.cancel() } }
        #expect(Seen(try await required.next().networkPath) == wired)
        #expect(Seen(try await prohibited.next().networkPath) == wired)
    }

    @Test func `loopback is a path for a monitor that requires it`() async throws {
        let lab = try await Lab()
        let watch = try await lab.watch(PathFilter(requiredType: .loopback))
        #expect(Seen(watch.path) == .unsatisfied(.allDown, on: "lo"))
        let updates = try await watch.updates { try await lab.change { try $0.setLink(1, up: true) } }
        #expect(updates.map(Seen.init) == [.satisfied("ipv4", "ipv6", over: ["lo"])])
    }
}
#endif
