// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import NetworkState
import TestSupport
import Testing

@testable import DialtoneNotifications

struct ReachabilityListenerTests {
    typealias Flags = SCNetworkReachabilityFlags

    @Test(
        arguments: [
            ([], false), ([.reachable], true), ([.connectionRequired], false),
            ([.reachable, .connectionRequired], false),
            ([.reachable, .connectionRequired, .connectionOnTraffic], true),
            ([.reachable, .connectionRequired, .connectionOnDemand], true),
            ([.reachable, .connectionRequired, .connectionOnTraffic, .interventionRequired], false),
            ([.reachable, .interventionRequired], true), ([.cellular], false), ([.reachable, .cellular], true),
            ([.connectionOnTraffic, .connectionOnDemand], false), ([.reachable, .isDirect, .isLocalAddress], true),
            ([.reachable, .connectionRequired, .interventionRequired], false),
        ] as [(Flags, Bool)])
    func `the classic rule determines reachability`(flags: Flags, isReachable: Bool) {
        #expect(flags.isReachable == isReachable)
    }

    @Test func `the flags can be read without listening`() throws {
        let network = ScriptedUplink(.wiredEthernet)
        let listener = try network.listener()
        #expect(listener.isReachable)
        #expect(!listener.isListening)
        network.become(nil)
        #expect(!listener.isReachable)
        #expect(listener.flags == [])
    }

    @Test(arguments: [true, false])
    func `the current flags come first, then each change`(toHost: Bool) async throws {
        let network = ScriptedUplink(.wiredEthernet)
        let listener = try network.listener(toHost: toHost)
        let flags = Recorder<Flags>()
        #expect(listener.start(queue: .global()) { flags.record($0) })
        #expect(listener.isListening)
        #expect(try await flags.next() == .reachable)
        // First a change that does not affect the flags, then one that does.
        network.change { $0.resolver.servers = [] }
        network.become(.cellular)
        #expect(try await flags.next().isSuperset(of: [.reachable, .cellular]))
        network.become(nil)
        #expect(try await flags.next() == [])
        #expect(flags.values.count == 3)
    }

    @Test func `a second start has no effect`() async throws {
        let network = ScriptedUplink(.wifi)
        let listener = try network.listener()
        let (first, second) = (Recorder<Flags>(), Recorder<Flags>())
        let queue = KnownQueue()
        #expect(listener.start(queue: queue.queue) { first.record($0) })
        #expect(!listener.start(queue: queue.queue) { second.record($0) })
        #expect(try await first.next() == .reachable)
        network.become(nil)
        #expect(try await first.next() == [])
        queue.drain()
        #expect(first.values.count == 2)
        #expect(second.values.isEmpty)
    }

    @Test func `it can be stopped twice and started again, and then reports the current flags again`() async throws {
        let network = ScriptedUplink(.wifi)
        let listener = try network.listener()
        listener.stop()
        let flags = Recorder<Flags>()
        let queue = KnownQueue()
        for _ in 0..<3 {
            #expect(listener.start(queue: queue.queue) { flags.record($0) })
            #expect(try await flags.next() == .reachable)
            listener.stop()
            listener.stop()
            #expect(!listener.isListening)
            network.become(nil)
            network.become(.wifi)
            queue.drain()
        }
        #expect(flags.values.count == 3)
    }

    @Test func `it can be stopped from its own handler`() async throws {
        let network = ScriptedUplink(.wifi)
        let listener = try network.listener()
        let flags = Recorder<Flags>()
        listener.start(queue: .global()) {
            listener.stop()
            flags.record($0)
        }
        #expect(try await flags.next() == .reachable)
        #expect(!listener.isListening)
    }

    @Test func `a released listener stops, and releases its handler`() async throws {
        let network = ScriptedUplink(.wifi)
        let queue = KnownQueue()
        let flags = Recorder<Flags>()
        weak var weakTicket: Ticket?
        do {
            let ticket = Ticket()
            weakTicket = ticket
            let listener = try network.listener()
            listener.start(queue: queue.queue) { [ticket] in
                withExtendedLifetime(ticket) {}; flags.record($0)
            }
            #expect(try await flags.next() == .reachable)
        }
        queue.drain()
        network.become(nil)
        queue.drain()
        #expect(weakTicket == nil)
        #expect(flags.values.count == 1)
    }

    @Test func `an empty name is rejected`() {
        #expect(ReachabilityListener(host: "") == nil)
        #expect(ReachabilityListener(host: "example.com") != nil)
        #expect(ReachabilityListener() != nil)
    }

    @Test(.real) func `an address, or a pair of addresses, can be listened to`() throws {
        let addresses: [any IPAddress] = [IPv4Address.loopback, IPv6Address.loopback]
        for address in addresses {
            let listener = try #require(ReachabilityListener(address: address))
            if address is IPv4Address { #expect(listener.flags.isSuperset(of: [.reachable, .isLocalAddress])) }
        }
        let pair = ReachabilityListener(localAddress: IPv4Address.loopback, remoteAddress: IPv4Address.loopback)
        #expect(pair?.isReachable == true)
    }

    @Test func `a socket address has the family, the bytes and the scope of the address`() throws {
        let scoped = try #require(IPv6Address("fe80::1%lo"))
        let found = withSocketAddress(scoped) { address in
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee }
        }
        let ipv6 = try #require(found)
        #expect(ipv6.sin6_family == sa_family_t(AF_INET6) && ipv6.sin6_scope_id == if_nametoindex("lo"))
        #expect(withUnsafeBytes(of: ipv6.sin6_addr, Array.init) == Array(scoped.rawValue))
        let ipv4 = withSocketAddress(IPv4Address("192.0.2.1")!) { address in
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee }
        }
        #expect(ipv4?.sin_family == sa_family_t(AF_INET) && ipv4?.sin_addr.s_addr.bigEndian == 0xC000_0201)
    }

    @Test func `after concurrent starts and stops, the last call determines the state`() async throws {
        let network = ScriptedUplink(.wifi)
        let listener = try network.listener()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        listener.start(queue: .global()) { _ in }
                    } else {
                        listener.stop()
                    }
                }
            }
        }
        listener.stop()
        #expect(!listener.isListening)
        let flags = Recorder<Flags>()
        #expect(listener.start(queue: .global()) { flags.record($0) })
        #expect(try await flags.next() == .reachable)
    }

    private final class Ticket: Sendable {}
}

#endif
