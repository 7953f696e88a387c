// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkState
import Testing

@testable import OpenSystemConfiguration

struct `Updates of a scheduled target` {
    private let gatewayed = NetworkAddress(198, 51, 100, 1)
    private let neighbor = NetworkAddress(192, 0, 2, 9)
    private let unreachable = NetworkAddress(203, 0, 113, 1)
    private let name = Destination.name(RawHostName("host.example"))
    private let here = EvaluatedSnapshot(Fixture.snapshot)

    // MARK: Addresses

    @Test func `an address has no callout at first, and then one for each change`() {
        var (machine, actions) = WatchMachine.begin(.address(gatewayed), in: here)
        #expect(actions.isEmpty)
        #expect(machine.receive(here).isEmpty)
        #expect(machine.receive(without(gatewayed)) == [.callOut])
        #expect(machine.dequeueCallout() == [])
        #expect(machine.receive(here) == [.callOut])
        #expect(machine.dequeueCallout() == .reachable)
        #expect(machine.dequeueCallout() == nil)
    }

    @Test func `changes before the callout runs are combined, with the latest flags`() {
        var (machine, _) = WatchMachine.begin(.address(gatewayed), in: here)
        #expect(machine.receive(without(gatewayed)) == [.callOut])
        #expect(machine.receive(here).isEmpty)
        #expect(machine.dequeueCallout() == .reachable)
    }

    @Test func `another egress link is a change even when the flags are equal`() {
        var (machine, _) = WatchMachine.begin(.address(gatewayed), in: here)
        var snapshot = Fixture.snapshot
        snapshot.interfaces[1].index = 20
        snapshot.hosts[RouteLookup(to: gatewayed)] = Fixture.answer("198.51.100.1", by: 20, gateway: "192.0.2.254")
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.callOut])
        #expect(machine.dequeueCallout() == .reachable)
    }

    @Test func `without the kernel's answer there is no change`() {
        var (machine, _) = WatchMachine.begin(.address(gatewayed), in: here)
        var snapshot = Fixture.snapshot
        snapshot.hosts = [:]
        #expect(machine.receive(EvaluatedSnapshot(snapshot)).isEmpty)
        #expect(machine.readFlags() == .reachable)
    }

    // MARK: Names

    @Test func `a name always has one callout, optimistic, and is resolved`() {
        var (machine, actions) = WatchMachine.begin(name, in: here)
        #expect(actions == [.callOut, .resolve(1)])
        #expect(machine.lookups.isEmpty)
        #expect(machine.dequeueCallout() == .reachable)
        #expect(machine.dequeueCallout() == nil)
    }

    @Test func `reading the flags makes the first callout unnecessary, but not that of a change`() {
        var (machine, _) = WatchMachine.begin(name, in: here)
        #expect(machine.readFlags() == .reachable)
        #expect(machine.dequeueCallout() == nil)
        var (other, _) = WatchMachine.begin(name, in: here)
        #expect(other.receive(.notFound, to: 1) == [.resolveAfter(300, 1)])
        #expect(other.readFlags() == [])
        #expect(other.dequeueCallout() == [])
    }

    @Test func `addresses count once the kernel has answered for them`() {
        var (machine, _) = WatchMachine.begin(name, in: here)
        _ = machine.dequeueCallout()
        let unasked = NetworkAddress(10, 99, 0, 1)
        #expect(machine.receive(.addresses([unasked]), to: 1) == [.read, .watch, .resolveAfter(300, 1)])
        #expect(machine.lookups == [RouteLookup(to: unasked)])
        #expect(machine.readFlags() == .reachable)
        var snapshot = Fixture.snapshot
        snapshot.hosts[RouteLookup(to: unasked)] = Fixture.answer("10.99.0.1", 24, by: 2)
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.callOut])
        #expect(machine.dequeueCallout()?.rawValue == 0x20002)
    }

    @Test func `a name that does not exist is not reachable`() {
        var (machine, _) = WatchMachine.begin(name, in: here)
        _ = machine.dequeueCallout()
        #expect(machine.receive(.notFound, to: 1) == [.resolveAfter(300, 1), .callOut])
        #expect(machine.dequeueCallout() == [])
    }

    @Test func `another number of addresses is a change even when the flags are equal`() {
        var (machine, _) = resolved(to: [neighbor])
        #expect(machine.resolveAgain(after: 1) == [.resolve(2)])
        #expect(machine.receive(.addresses([neighbor, unreachable]), to: 2) == [.read, .watch, .resolveAfter(300, 2)])
        #expect(machine.receive(here) == [.watch, .callOut])
        #expect(machine.dequeueCallout()?.rawValue == 0x20002)
    }

    @Test func `the same answer again is not a change`() {
        var (machine, _) = resolved(to: [neighbor])
        #expect(machine.resolveAgain(after: 1) == [.resolve(2)])
        #expect(machine.receive(.addresses([neighbor]), to: 2) == [.resolveAfter(300, 2)])
        #expect(machine.dequeueCallout() == nil)
    }

    @Test func `another path or resolver configuration starts a new query, and the known answer is kept meanwhile`() {
        var (machine, _) = resolved(to: [neighbor])
        var snapshot = Fixture.snapshot
        snapshot.resolver = ResolverConfiguration(servers: [.init(NetworkAddress(192, 0, 2, 53))])
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.resolve(2)])
        #expect(machine.readFlags().rawValue == 0x20002)
        #expect(machine.lookups == [RouteLookup(to: neighbor)])
        snapshot.interfaces[1].addresses.append(Fixture.address("192.0.2.2/24"))
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.resolve(3)])
        // The answer for the previous network is ignored.
        #expect(machine.receive(.notFound, to: 2).isEmpty)
        #expect(machine.receive(.addresses([unreachable]), to: 3).contains(.read))
        #expect(machine.receive(EvaluatedSnapshot(snapshot)).contains(.callOut))
        #expect(machine.dequeueCallout() == [])
    }

    @Test func `a change that concerns only hosts starts no query`() {
        var (machine, _) = resolved(to: [neighbor])
        var snapshot = Fixture.snapshot
        snapshot.hosts[RouteLookup(to: neighbor)] = Fixture.answer("192.0.2.9", .rejected)
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.callOut])
        #expect(machine.dequeueCallout() == [])
    }

    @Test func `temporary failures are retried with growing delays`() {
        var (machine, _) = WatchMachine.begin(
            name, in: here, pace: ResolutionPace(firstRetry: 1, longestRetry: 5, refresh: 100))
        _ = machine.dequeueCallout()
        for (number, wait) in [(1, 1.0), (2, 2), (3, 4), (4, 5), (5, 5)] as [(UInt64, Double)] {
            #expect(machine.receive(.temporaryFailure, to: number).contains(.resolveAfter(wait, number)))
            #expect(machine.resolveAgain(after: number) == [.resolve(number + 1)])
        }
        #expect(machine.receive(.addresses([neighbor]), to: 6).contains(.resolveAfter(100, 6)))
        _ = machine.receive(here)
        // A delayed query that another event has replaced has no effect.
        #expect(machine.resolveAgain(after: 5).isEmpty)
    }

    @Test func `known addresses survive temporary failures`() {
        var (machine, _) = resolved(to: [neighbor])
        for (number, wait) in [(2, 1.0), (3, 2)] as [(UInt64, Double)] {
            #expect(machine.resolveAgain(after: number - 1) == [.resolve(number)])
            #expect(machine.receive(.temporaryFailure, to: number) == [.resolveAfter(wait, number)])
            #expect(machine.lookups == [RouteLookup(to: neighbor)])
            #expect(machine.readFlags().rawValue == 0x20002)
        }
        #expect(machine.resolveAgain(after: 3) == [.resolve(4)])
        #expect(machine.receive(.notFound, to: 4) == [.resolveAfter(300, 4), .watch, .callOut])
        #expect(machine.dequeueCallout() == [])
    }

    @Test func `a new query follows another network, but not a varying signal or another access point`() {
        var snapshot = Fixture.snapshot
        snapshot.interfaces[1].type = .wifi
        snapshot.interfaces[1].wifi = WiFiLink(
            ssid: Array("Home".utf8), accessPoint: MACAddress(bytes: [2, 0, 0, 0, 0, 1]), quality: .good)
        var (machine, _) = WatchMachine.begin(name, in: EvaluatedSnapshot(snapshot))
        _ = machine.receive(.addresses([neighbor]), to: 1) + machine.receive(EvaluatedSnapshot(snapshot))
        _ = machine.dequeueCallout()
        snapshot.interfaces[1].wifi?.quality = .minimal
        #expect(machine.receive(EvaluatedSnapshot(snapshot)).isEmpty)
        snapshot.interfaces[1].wifi?.accessPoint = MACAddress(bytes: [2, 0, 0, 0, 0, 2])
        #expect(machine.receive(EvaluatedSnapshot(snapshot)).isEmpty)
        snapshot.interfaces[1].wifi?.ssid = Array("Cafe".utf8)
        #expect(machine.receive(EvaluatedSnapshot(snapshot)) == [.resolve(2)])
    }

    @Test func `localhost is known without a query`() {
        var (machine, actions) = WatchMachine.begin(.name(RawHostName("localhost")), in: here)
        #expect(actions == [.callOut])
        #expect(machine.dequeueCallout()?.rawValue == 0x10002)
        #expect(machine.lookups.count == 2)
    }

    private func resolved(to addresses: [NetworkAddress]) -> (WatchMachine, [WatchMachine.Action]) {
        var (machine, actions) = WatchMachine.begin(name, in: here)
        actions += machine.receive(.addresses(addresses), to: 1) + machine.receive(here)
        _ = machine.dequeueCallout()
        return (machine, actions)
    }

    private func without(_ address: NetworkAddress) -> EvaluatedSnapshot {
        var snapshot = Fixture.snapshot
        snapshot.hosts[RouteLookup(to: address)] = RouteAnswer(address, .rejected)
        return EvaluatedSnapshot(snapshot)
    }
}
