// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import DialtoneTesting
import TestSupport
import Testing

@testable import DialtoneNotifications

struct ReachabilityPathSourceTests {
    @Test(
        arguments: [
            ([], .unsatisfied, false), (.reachable, .satisfied, false), ([.reachable, .cellular], .satisfied, true),
            ([.reachable, .connectionRequired], .requiresConnection, false),
            ([.reachable, .connectionRequired, .connectionOnTraffic], .satisfied, false),
            ([.connectionRequired, .interventionRequired], .unsatisfied, false), (.cellular, .unsatisfied, false),
        ] as [(SCNetworkReachabilityFlags, NWPath.Status, Bool)])
    func `flags become a path`(flags: SCNetworkReachabilityFlags, status: NWPath.Status, isCellular: Bool) {
        let path = NetworkPath(flags)
        #expect(path.status == status)
        #expect(path.usesInterfaceType(.cellular) == isCellular && path.isExpensive == isCellular)
        #expect(path.supportsIPv4 == (status == .satisfied))
    }

    @Test func `a monitor runs over reachability flags`() async throws {
        let network = ScriptedUplink(.wifi)
        let source = ReachabilityPathSource { try? network.listener(toHost: false) }
        let monitor = try ConnectivityMonitor(
            .init(firstValueBound: .zero), paths: source, checker: nil, identifier: nil)
        var values = monitor.updates(.everyTransition).makeAsyncIterator()
        while let value = await values.next(), value.state != .unverified {}
        network.become(nil)
        #expect(await values.next()?.state == .offline)
        network.become(.cellular)
        let cellular = await values.next()
        #expect(cellular?.state == .unverified && cellular?.path.usesInterfaceType(.cellular) == true)
    }

    @Test func `a source that the system refuses delivers an unknown path`() async throws {
        let paths = Recorder<NetworkPath>()
        let subscription = ReachabilityPathSource(host: "").subscribe { paths.record($0) }
        #expect(try await paths.next().isUnknown)
        subscription.cancel()
    }
}

#endif
