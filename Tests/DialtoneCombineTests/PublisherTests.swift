// SPDX-License-Identifier: Apache-2.0

#if Publishers && !canImport(Darwin)

import NetworkState
import OpenNetwork
import TestSupport
import Testing

@testable import DialtoneCombine

struct PublisherTests {
    @Test func `a path monitor publishes the current path, then each change`() async throws {
        let network = ScriptedUplink(.wifi)
        let monitor = NWPathMonitor(PathFilter(), source: network.source)
        let statuses = Recorder<NWPath.Status>()
        let watching = monitor.publisher.sink { statuses.record($0.status) }
        #expect(try await statuses.next() == .satisfied)
        network.become(nil)
        #expect(try await statuses.next() == .unsatisfied)
        withExtendedLifetime(watching) {}
    }

    @Test func `it completes when the monitor is cancelled`() async throws {
        let monitor = NWPathMonitor(PathFilter(), source: ScriptedUplink(.wifi).source)
        let subscriber = ManualSubscriber<NWPath>()
        monitor.publisher.subscribe(subscriber)
        _ = try await subscriber.values.next()
        monitor.cancel()
        try await subscriber.completions.next()
        // A later subscriber is completed at once.
        let late = ManualSubscriber<NWPath>()
        monitor.publisher.subscribe(late)
        try await late.completions.next()
        #expect(late.values.values.isEmpty)
    }

    @Test func `a subscriber without demand later gets the newest path`() async throws {
        let network = ScriptedUplink(.wifi)
        let monitor = NWPathMonitor(PathFilter(), source: network.source)
        let (idle, hungry) = (ManualSubscriber<NWPath>(atFirst: .max(1)), ManualSubscriber<NWPath>())
        monitor.publisher.subscribe(idle)
        _ = try await idle.values.next()
        monitor.publisher.subscribe(hungry)
        for type in [InterfaceType.wiredEthernet, .cellular, .wifi] { network.become(type) }
        network.become(nil)
        _ = try await hungry.values.next { $0.status == .unsatisfied }
        #expect(idle.values.values.count == 1)
        idle.request(.unlimited)
        #expect(try await idle.values.next { $0.status == .unsatisfied }.availableInterfaces.isEmpty)
    }

    @Test func `cancelling releases the subscriber and its subscription`() async throws {
        let network = ScriptedUplink(.wifi)
        let monitor = NWPathMonitor(PathFilter(), source: network.source)
        let paths = Recorder<NWPath>()
        let ends = Recorder<Void>()
        let watching = monitor.publisher.handleEvents(receiveCancel: { ends.record(()) }).sink { paths.record($0) }
        _ = try await paths.next()
        watching.cancel()
        #expect(ends.values.count == 1)
        let other = ManualSubscriber<NWPath>()
        monitor.publisher.subscribe(other)
        network.become(nil)
        _ = try await other.values.next { $0.status == .unsatisfied }
        #expect(paths.values.count == 1)
    }

    @Test func `a host publishes its reports`() async throws {
        let reports = Recorder<HostReport>()
        let watching = try HostReachability("localhost").publisher.sink { reports.record($0) }
        #expect(try await reports.next().target.hostText == "localhost")
        watching.cancel()
    }

    @Test func `a single import provides Combine's operators`() async throws {
        let network = ScriptedUplink(.wifi)
        let monitor = NWPathMonitor(PathFilter(), source: network.source)
        let answers = Recorder<Bool>()
        let watching = monitor.publisher.map { $0.status == .satisfied }.removeDuplicates().sink { answers.record($0) }
        #expect(try await answers.next())
        network.become(nil)
        #expect(try await answers.next() == false)
        withExtendedLifetime(watching) {}
    }
}

#endif
