// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
import OpenNetwork
import OpenSystemConfiguration
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone
@testable import NetworkState

struct EvaluationCountTests {
    private static let hosts = (1...10).map { NetworkAddress(198, 51, 100, $0) }
    private static let targets = (1...10).map { NetworkAddress(203, 0, 113, $0) }

    /// Returns the state of a machine with one uplink, and the kernel's answers for all hosts.
    private static func snapshot(_ type: InterfaceType?) -> NetworkSnapshot {
        var snapshot = ScriptedUplink(type).snapshot
        let answer = snapshot.hosts.first?.value.outcome ?? .noRoute
        for address in hosts + targets { snapshot.hosts[RouteLookup(to: address)] = RouteAnswer(address, answer) }
        return snapshot
    }

    @Test func `a state is evaluated once for a monitor, ten watched hosts and ten reachability targets`()
        async throws
    {
        let source = ScriptedSource(Self.snapshot(.wifi))
        let states = Recorder<EvaluatedSnapshot>()
        let subscription = source.subscribe { states.record($0.state) }
        let monitor = NWPathMonitor(PathFilter(), source: source)
        let paths = Recorder<PathStatus>()
        monitor.pathUpdateHandler = { paths.record($0.status) }
        monitor.start(queue: DispatchQueue(label: "handlers"))
        let views = Self.hosts.map { _ in Recorder<HostView>() }
        let watches = zip(Self.hosts, views).map { host, views in
            KernelRouting(source: source).watch([host]) { views.record($0) }
        }
        let hub = ReachabilityHub(
            source: source, everything: { _ in Self.snapshot(.wifi) }, answers: { _, _ in nil },
            lookup: { _ in .notFound })
        let targets = Self.targets.map { SCNetworkReachability(.address($0), hub: hub) }
        for target in targets { SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "callouts")) }
        for type in [InterfaceType.wiredEthernet, nil] {
            let status: PathStatus = type == nil ? .unsatisfied : .satisfied
            source.publish(Self.snapshot(type))
            let state = try await states.latest { $0.snapshot.interfaces.first?.type == type }
            for views in views {
                let view = try await views.latest { $0.path.status == status && $0.path.interfaces.first?.type == type }
                #expect(view.routes.values.allSatisfy { ((try? $0.get()) != nil) == (type != nil) })
            }
            _ = try await paths.latest { $0 == status }
            for target in targets {
                var flags: SCNetworkReachabilityFlags = []
                SCNetworkReachabilityGetFlags(target, &flags)
                #expect(flags.contains(.reachable) == (type != nil))
            }
            #expect(state.paths.withLock { $0.count } == 1)
            #expect(state.routes.withLock { $0.count } == Self.hosts.count + Self.targets.count)
        }
        for target in targets { SCNetworkReachabilitySetDispatchQueue(target, nil) }
        for watch in watches { watch.cancel() }
        monitor.cancel()
        subscription.cancel()
    }

    @Test func `a state shares the path of an earlier one if nothing that it depends on has changed`() {
        var snapshot = Self.snapshot(.wifi)
        let earlier = EvaluatedSnapshot(snapshot)
        let path = earlier.path(PathFilter())
        snapshot.hosts = [:]
        #expect(EvaluatedSnapshot(snapshot, after: earlier).path(PathFilter()) === path)
        snapshot.routing.general = []
        #expect(EvaluatedSnapshot(snapshot, after: earlier).path.status == .unsatisfied)
    }

    @Test func `a filter that excludes nothing on this machine has the default path`() {
        let state = EvaluatedSnapshot(Self.snapshot(.wifi))
        #expect(state.path(PathFilter(prohibitedTypes: [.cellular])) === state.path(PathFilter()))
        #expect(state.path(PathFilter(prohibitedTypes: [.wifi])).path.status == .unsatisfied)
    }
}
#endif
