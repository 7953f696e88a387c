// SPDX-License-Identifier: Apache-2.0

import Netlink
import SystemSupport
import TestSupport
import Testing

@testable import NetworkState

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct `Watching hosts` {
    @Test func `reports each change, and none of hosts without a watcher`() async throws {
        let (namespace, link) = try network()
        let question = RouteLookup(to: "198.51.100.1")
        let updates = Recorder<NetworkUpdate>()
        let subscription = try await namespace.run {
            KernelSource.shared().subscribe(watching: [question]) { updates.record($0) }
        }
        #expect(try await updates.next().snapshot.hosts[question]?.outcome == .noRoute)
        var kernel = try RouteNetlink(in: namespace)
        for _ in 0..<10 {
            try kernel.addRoute(NewRoute("203.0.113.0/24", type: .unreachable))
            try kernel.addRoute(NewRoute("198.51.100.0/24", via: "192.0.2.254", interface: link))
            // Other updates may come in between, of the link or of configured costs; they do not concern the host.
            let added = try await updates.next { $0.delta.changes.contains(.hosts) }.snapshot.hosts[question]?.outcome
            guard case .route(let route)? = added else {
                Issue.record("\(String(describing: added))")
                return
            }
            #expect(route.nextHops.first?.gateway == "192.0.2.254")
            try kernel.deleteRoute(NewRoute("203.0.113.0/24", type: .unreachable))
            try kernel.deleteRoute(NewRoute("198.51.100.0/24", via: "192.0.2.254", interface: link))
            let deleted = try await updates.next { $0.delta.changes.contains(.hosts) }
            #expect(deleted.snapshot.hosts[question]?.outcome == .noRoute)
        }
        subscription.cancel()
        // No update without a change, and none for the host without a watcher.
        #expect(updates.values.dropFirst().allSatisfy { !$0.delta.changes.isEmpty })
        #expect(updates.values.allSatisfy { Set($0.snapshot.hosts.keys) == [question] })
        #expect(updates.values.filter { $0.delta.changes.contains(.hosts) }.count == 20)
    }

    @Test func `accepts new lookups at any time, more than a filter can hold, and fewer again`() async throws {
        let (namespace, link) = try network()
        let updates = Recorder<[RouteLookup: RouteAnswer]>()
        let subscription = try await namespace.run {
            KernelSource.shared().subscribe(watching: []) { updates.record($0.snapshot.hosts) }
        }
        _ = try await updates.next(timeout: .seconds(60)) { $0.isEmpty }
        let many = Set((0..<600).map { RouteLookup(to: NetworkAddress(10, UInt8($0 / 250), UInt8($0 % 250), 1)) })
        var kernel = try RouteNetlink(in: namespace)
        for watched in [many, Set(many.prefix(3)), many, []] as [Set<RouteLookup>] {
            subscription.watch(watched)
            _ = try await updates.next(timeout: .seconds(60)) { Set($0.keys) == watched }
            guard let last = watched.first else { continue }
            let route = NewRoute(NetworkPrefix(host: last.destination), via: "192.0.2.254", interface: link)
            try kernel.addRoute(route)
            _ = try await updates.next(timeout: .seconds(60)) { $0[last]?.outcome != .noRoute }
            try kernel.deleteRoute(route)
            _ = try await updates.next(timeout: .seconds(60)) { $0[last]?.outcome == .noRoute }
        }
        subscription.cancel()
    }

    @Test func `a question is answered with a state that is no older, and its host is not watched`() async throws {
        let (namespace, link) = try network()
        let question = RouteLookup(to: "198.51.100.1")
        let updates = Recorder<NetworkUpdate>()
        let source = try await namespace.run { KernelSource.shared() }
        #expect(await source.state(of: [question]) { _ in [] } == nil)
        let subscription = try await namespace.run { source.subscribe { updates.record($0) } }
        // On a busy machine the kernel reports the carrier later, and there is no path before.
        _ = try await updates.next { update in
            update.snapshot.interfaces.contains { $0.index == link && $0.flags.contains(.running) }
        }
        let route = NewRoute("198.51.100.0/24", via: "192.0.2.254", interface: link)
        var kernel = try RouteNetlink(in: namespace)
        for _ in 0..<50 {
            try kernel.addRoute(route)
            let with = await source.state(of: []) { _ in [question] }
            #expect(with?.route(question)?.gateway == "192.0.2.254")
            try kernel.deleteRoute(route)
            let without = await source.state(of: [question]) { _ in [] }
            #expect(without?.route(question)?.status == .unsatisfied)
        }
        #expect(updates.values.allSatisfy { $0.snapshot.hosts.isEmpty })
        #expect(source.watched.version == 0)
        subscription.cancel()
        // Once the thread has ended, nothing answers, and a question does not start it. One before the end does not prevent it.
        _ = await source.state(of: []) { _ in [] }
        try await eventually { !source.isRunning }
        #expect(await source.state(of: []) { _ in [] } == nil)
    }

    @Test func `a question to a source that fails is answered at once`() async throws {
        let refusing = KernelSource { _, _ throws(SystemError) in throw SystemError(11) }
        let subscription = refusing.subscribe { _ in }
        #expect(await refusing.state(of: []) { _ in [] } == nil)
        subscription.cancel()
    }

    static let rules: [RuleMessage?] = [
        nil, RuleMessage(family: .ipv4, action: .prohibit, priority: 100, source: "192.0.2.1/32"),
    ]

    @Test(arguments: rules)
    func `can be done once, with the whole state or without`(rule: RuleMessage?) async throws {
        let (namespace, _) = try network()
        if let rule {
            var kernel = try RouteNetlink(in: namespace)
            try kernel.addRule(rule)
        }
        let question = RouteLookup(to: "192.0.2.9")
        let (answers, snapshot) = try await namespace.run {
            (try KernelSource.currentAnswers([question]), KernelSource.currentSnapshot(hosts: [question]))
        }
        #expect(answers == snapshot.hosts)
        #expect((answers[question]?.outcome == .rejected) == (rule != nil))
        #expect(AddressEvaluator(snapshot).evaluate(question) != nil)
    }

    /// A namespace with 192.0.2.1/24 on a link that is up.
    private func network() throws -> (NetworkNamespace, Int32) {
        let namespace = try NetworkNamespace()
        var kernel = try RouteNetlink(in: namespace)
        try kernel.createLink(.veth(name: "up0", peer: "peer0"))
        let (link, peer) = (try kernel.link(named: "up0").index, try kernel.link(named: "peer0").index)
        for index in [1, link, peer] { try kernel.setLink(index, up: true) }
        try kernel.addAddress("192.0.2.1/24", to: link)
        return (namespace, link)
    }
}
