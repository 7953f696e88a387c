// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import Netlink
import NetworkModel
import NetworkState
import OpenNetwork
import TestSupport
import Testing

struct InvisibleChangeTests {
    private static func snapshot(carrier: Bool) -> NetworkSnapshot {
        let link = NetworkInterface(
            index: 2, name: "eth2", type: .wiredEthernet, flags: carrier ? [.up, .running, .lowerUp] : .up)
        return NetworkSnapshot(interfaces: [link])
    }

    /// Returns the reasons that a monitor reports without a carrier, then without an address, and then while connected.
    private func reasons(reportsDiagnosis: Bool) async throws -> [PathDiagnosis.Reason?] {
        let source = ScriptedSource(Self.snapshot(carrier: false))
        let monitor = NWPathMonitor(PathFilter(), source: source, reportsDiagnosis: reportsDiagnosis)
        let paths = Recorder<NetworkPath>()
        monitor.pathUpdateHandler = { paths.record($0.networkPath) }
        monitor.start(queue: DispatchQueue(label: "handlers"))
        source.publish(Self.snapshot(carrier: true))
        source.publish(ScriptedUplink(.wifi).snapshot)
        _ = try await paths.latest { $0.status == .satisfied }
        monitor.cancel()
        return paths.values.map(\.diagnosis?.reason)
    }

    @Test func `a monitor does not report a change of the diagnosis alone`() async throws {
        #expect(try await reasons(reportsDiagnosis: false) == [.noCarrier, nil])
    }

    @Test func `a monitor that reports diagnoses reports a change of the diagnosis alone`() async throws {
        #expect(try await reasons(reportsDiagnosis: true) == [.noCarrier, .noAddress, nil])
    }

    @Test func `the current path has the latest diagnosis`() async throws {
        let source = ScriptedSource(Self.snapshot(carrier: false))
        let monitor = NWPathMonitor(PathFilter(), source: source)
        let queue = DispatchQueue(label: "handlers")
        monitor.start(queue: queue)
        source.publish(Self.snapshot(carrier: true))
        queue.sync {}
        #expect(monitor.currentPath.networkPath.diagnosis?.reason == .noAddress)
        monitor.cancel()
    }
}

#endif
