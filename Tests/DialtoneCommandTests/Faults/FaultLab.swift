// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import Synchronization
import TestSupport

/// A routed lab whose Internet has two operators, each with an address for HTTP and one for HTTPS, and public addresses
/// that are known by number.
///
/// Faults are made on the wire: by routes, links and addresses, and by servers that misbehave.
final class FaultLab: Sendable {
    let served: ServedLab
    private let kept = Mutex<[any Sendable]>([])

    /// Public addresses that are contacted without names.
    static let publicAddresses: [NetworkPrefix] = ["1.1.1.1/32", "8.8.8.8/32", "9.9.9.9/32"]

    static let operators = ["alpha.example", "beta.example"]
    /// The addresses for HTTP end with 10 and 11, those for HTTPS with 20 and 21.
    private static let hosts = operators.flatMap { ["www.\($0)", "secure.\($0)"] }

    /// The options for one endpoint over HTTP and one over HTTPS of each operator.
    static let endpoints = endpoints(of: operators)

    static func endpoints(of operators: [String]) -> [String] {
        operators.flatMap {
            ["--endpoint", "http://www.\($0)/generate_204", "--endpoint", "https://secure.\($0)/generate_204"]
        }
    }

    init(_ behavior: ScriptedInternet.Behavior = .online, resolver: String = "203.0.113.53") async throws {
        let names = ScriptedResolver(
            [
                "www.alpha.example": .addresses("203.0.113.10"), "www.beta.example": .addresses("203.0.113.11"),
                "secure.alpha.example": .addresses("203.0.113.20"), "secure.beta.example": .addresses("203.0.113.21"),
            ])
        served = try await ServedLab(behavior, names, resolver: resolver, address: "0.0.0.0", hosts: Self.hosts)
        try await served.network.internet.run {
            var kernel = try RouteNetlink()
            let index = try kernel.link(named: "net0").index
            for last in ["10", "11", "20", "21", "30"] {
                if let prefix = NetworkPrefix("203.0.113.\(last)/24") { try kernel.addAddress(prefix, to: index) }
            }
            for address in Self.publicAddresses { try kernel.addAddress(address, to: index) }
        }
        try await served.network.runInRouter {
            // By default a router reports one error a second to each host.
            try "0".write(toFile: "/proc/sys/net/ipv4/icmp_ratelimit", atomically: false, encoding: .utf8)
            var kernel = try RouteNetlink()
            for address in Self.publicAddresses {
                try kernel.addRoute(NewRoute(address, via: NetworkAddress(203, 0, 113, 1)))
            }
        }
    }

    /// Connects the client, and waits until it has a path.
    func join() async throws { try await served.network.join() }

    /// Makes the router discard or reject packets to some addresses.
    func router(_ type: RouteType, _ prefixes: NetworkPrefix...) async throws {
        try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            for prefix in prefixes { try kernel.replaceRoute(NewRoute(prefix, type: type)) }
        }
    }

    /// Takes the router's uplink away, and makes it treat all packets to the Internet in one way; nil is no route at all.
    func cutUplink(_ type: RouteType?) async throws {
        try await served.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.deleteAddress("203.0.113.254/24", from: kernel.link(named: "wan0").index)
            if let type { try kernel.addRoute(NewRoute(.all(.ipv4), type: type)) }
        }
    }

    /// Switches the client's link on, and waits for the carrier.
    func connectLink() async throws {
        let client = served.network.client
        let events = try RouteEvents([.link], in: client)
        var kernel = try RouteNetlink(in: client)
        try kernel.setLink(kernel.link(named: "up0").index, up: true)
        for try await case .message(.newLink(let link)) in events
        where link.name == "up0" && link.flags.contains(.running) { return }
    }

    /// Unplugs the client's cable, and waits until the kernel has reported that.
    func unplug() async throws {
        let events = try RouteEvents([.link], in: served.network.client)
        try served.network.setCable(connected: false)
        for try await case .message(.newLink(let link)) in events
        where link.name == "up0" && !link.flags.contains(.running) { return }
    }

    /// Replaces the client's default route by one of another type; nil removes it.
    func defaultRoute(_ type: RouteType?) throws {
        var kernel = try RouteNetlink(in: served.network.client)
        try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
        if let type { try kernel.addRoute(NewRoute(.all(.ipv4), type: type)) }
    }

    /// Keeps a server for as long as the lab exists.
    func keep(_ server: any Sendable) { kept.withLock { $0.append(server) } }

    /// Gives the same answer for all names.
    func play(_ answer: ScriptedResolver.Answer) {
        for host in Self.hosts { served.names.play(answer, for: host) }
        served.names.play(answer)
    }
}
