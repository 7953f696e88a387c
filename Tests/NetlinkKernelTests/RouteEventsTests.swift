// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct RouteEventsTests {
    @Test func `unread events wait in the kernel, in order`() async throws {
        var lab = try await Lab()
        let events = try lab.events([.ipv4Route])
        #expect(events.refused.isEmpty)
        try lab.storm(20)
        var heard: [UInt8] = []
        for try await case .message(.newRoute(let route, _)) in events {
            heard.append(route.destination?.address.bytes[2] ?? 0)
            if heard.count == 20 { break }
        }
        #expect(heard == Array(0..<20))
    }

    @Test func `a change wakes a waiting reader`() async throws {
        var lab = try await Lab()
        let events = try lab.events([.ipv4Route])
        let heard = Recorder<RouteEvents.Element>()
        let reading = Task { for try await event in events { heard.record(event) } }
        for number in 1...3 {
            let host = NetworkPrefix(host: NetworkAddress(10, 0, 0, UInt8(number)))
            try lab.kernel.addRoute(NewRoute(host, interface: lab.a))
            let event = try await heard.next()
            guard case .message(.newRoute(let route, _)) = event else {
                Issue.record("\(event)")
                return
            }
            #expect(route.destination == host)
        }
        reading.cancel()
        try await reading.value
    }

    @Test func `cancelling the task ends the sequence, waiting or not`() async throws {
        let events = try RouteEvents(in: NetworkNamespace())
        for _ in 0..<200 {
            let reading = Task { for try await _ in events {} }
            await Task.yield()
            reading.cancel()
            try await reading.value
        }
    }

    @Test func `an ended iterator stays ended`() async throws {
        let events = try RouteEvents(in: NetworkNamespace())
        let reading = Task {
            var iterator = events.makeAsyncIterator()
            let first = try await iterator.next()
            let second = try await iterator.next()
            return (first, second)
        }
        reading.cancel()
        let (first, second) = try await reading.value
        #expect(first == nil && second == nil)
    }

    @Test func `an overflow becomes a single lost event, and later events are delivered`() async throws {
        var lab = try await Lab()
        let events = try RouteEvents([.ipv4Route], in: lab.namespace, receiveBuffer: 2048)
        let heard = Recorder<RouteEvents.Element>()
        try lab.storm(500)
        let reading = Task { for try await event in events { heard.record(event) } }
        _ = try await heard.next { $0 == .lost }
        try lab.kernel.addRoute(NewRoute(.all(.ipv4), interface: lab.a))
        let rest = try await heard.values { event in
            if case .message(.newRoute(let route, _)) = event { route.destinationLength == 0 } else { false }
        }
        #expect(!rest.contains(.lost))
        #expect(heard.values.count < 500)
        reading.cancel()
        try await reading.value
    }

    @Test func `two readers share the events`() async throws {
        var lab = try await Lab()
        let events = try lab.events([.ipv4Route])
        let heard = Recorder<RouteEvents.Element>()
        let readers = (0..<2).map { _ in Task { for try await event in events { heard.record(event) } } }
        try lab.storm(100)
        _ = try await heard.values { _ in heard.values.count == 100 }
        for reader in readers {
            reader.cancel()
            try await reader.value
        }
        #expect(Set(heard.values).count == 100)
    }

    @Test func `routes can be limited to those that cover an address`() async throws {
        var lab = try await Lab()
        let events = try lab.events([.ipv4Route])
        #expect(events.limitRoutes(toThoseCovering: [NetworkAddress(203, 0, 113, 9)]))
        try lab.storm(100)
        try lab.kernel.addRoute(NewRoute(prefix("203.0.113.0/24"), interface: lab.a))
        var iterator = events.makeAsyncIterator()
        guard case .message(.newRoute(let route, _))? = try await iterator.next() else {
            Issue.record("no route")
            return
        }
        #expect(route.destination?.description == "203.0.113.0/24")
    }

    @Test func `every descriptor is closed`() async {
        await #expect(processExitsWith: .success) {
            let namespace = try NetworkNamespace()
            func cycle(waiting: Bool) async throws {
                let events = try RouteEvents(in: namespace)
                guard waiting else { return }
                let reading = Task { for try await _ in events {} }
                await Task.yield()
                reading.cancel()
                try await reading.value
            }
            try await cycle(waiting: true)
            let before = try openDescriptors()
            for number in 0..<1000 {
                try await cycle(waiting: number % 2 == 0)
                // A dispatch source releases its descriptor some time after it was cancelled, without notification.
                // clock: a fail-safe.
                let deadline = ContinuousClock.now + .seconds(60)
                while number % 50 == 49, try openDescriptors() > before {
                    // clock: as above.
                    guard ContinuousClock.now < deadline else { fatalError("descriptors stay open") }
                    await Task.yield()
                }
            }
        }
    }
}
#endif
