// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Network
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathTests {
    private func firstPath(_ monitor: NWPathMonitor = NWPathMonitor()) async throws -> NWPath {
        let paths = Recorder<NWPath>()
        monitor.pathUpdateHandler = { paths.record($0) }
        monitor.start(queue: DispatchQueue(label: "monitor"))
        defer { monitor.cancel() }
        return try await paths.next()
    }

    @Test func `the properties of a path are consistent`() async throws {
        let path = try await firstPath()
        if path.status == .satisfied {
            #expect(path.supportsIPv4 || path.supportsIPv6)
            #expect(!path.availableInterfaces.isEmpty)
            #expect(path.unsatisfiedReason == .notAvailable)
        }
        let types: [NWInterface.InterfaceType] = [.other, .wifi, .cellular, .wiredEthernet, .loopback]
        #expect(types.contains { path.usesInterfaceType($0) } == (path.status == .satisfied))
        for interface in path.availableInterfaces {
            #expect(interface.debugDescription == interface.name)
            #expect(interface.index > 0)
        }
        for gateway in path.gateways {
            guard case .hostPort(let host, let port) = gateway else {
                Issue.record("a gateway that is no host: \(gateway)")
                continue
            }
            #expect(port.rawValue == 0)
            if case .name = host { Issue.record("a gateway that is a name: \(host)") }
        }
    }

    @Test func `the description begins with the status`() async throws {
        let path = try await firstPath()
        let text = path.debugDescription
        switch path.status {
        case .satisfied: #expect(text.hasPrefix("satisfied (Path is satisfied), interface: "))
        case .unsatisfied: #expect(text.hasPrefix("unsatisfied (No network route)"))
        case .requiresConnection: #expect(text.hasPrefix("satisfiable ("))
        @unknown default: Issue.record("an unknown status")
        }
        #expect(text.contains(", ipv4") == path.supportsIPv4)
        #expect(text.contains(", dns") == path.supportsDNS)
    }

    @Test func `a monitor that requires loopback gets only loopback`() async throws {
        let path = try await firstPath(NWPathMonitor(requiredInterfaceType: .loopback))
        #expect(path.availableInterfaces.allSatisfy { $0.type == .loopback })
    }

    @Test(arguments: [.wifi, .cellular, .wiredEthernet, .other] as [NWInterface.InterfaceType])
    func `a monitor that requires a type gets only that type`(type: NWInterface.InterfaceType) async throws {
        let path = try await firstPath(NWPathMonitor(requiredInterfaceType: type))
        #expect(path.availableInterfaces.allSatisfy { $0.type == type })
    }

    @Test func `a monitor does not get prohibited types`() async throws {
        let path = try await firstPath(NWPathMonitor(prohibitedInterfaceTypes: [.wiredEthernet, .wifi]))
        #expect(path.availableInterfaces.allSatisfy { $0.type != .wiredEthernet && $0.type != .wifi })
    }

    @Test func `prohibiting nothing is the same as no requirement`() async throws {
        let (all, none) = (try await firstPath(), try await firstPath(NWPathMonitor(prohibitedInterfaceTypes: [])))
        #expect(all.status == none.status)
        #expect(all.availableInterfaces == none.availableInterfaces)
    }

    @Test func `scoped imports and qualified names work`() async throws {
        let path: Network.NWPath = try await firstPath()
        let host: Network.NWEndpoint.Host = "2001:db8::1"
        #expect("\(host)" == "2001:db8::1")
        let again = try await firstPath()
        #expect(path == again)
    }
}
