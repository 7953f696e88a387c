// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import Testing

/// A namespace with two connected links that are up.
struct Lab: ~Copyable {
    let namespace: NetworkNamespace
    var kernel: RouteNetlink
    let a: Int32
    let b: Int32

    init() async throws {
        let namespace = try NetworkNamespace()
        let events = try RouteEvents([.link], in: namespace)
        var kernel = try RouteNetlink(in: namespace)
        try kernel.createLink(.veth(name: "a", peer: "b"))
        let (a, b) = (try kernel.link(named: "a").index, try kernel.link(named: "b").index)
        for index in [1, a, b] { try kernel.setLink(index, up: true) }
        var waiting: Set = [a, b]
        for try await case .message(.newLink(let link)) in events where link.operationalState == .up {
            waiting.remove(link.index)
            if waiting.isEmpty { break }
        }
        self.namespace = namespace
        self.kernel = kernel
        (self.a, self.b) = (a, b)
    }

    func events(_ groups: [MulticastGroup] = MulticastGroup.routing) throws -> RouteEvents {
        try RouteEvents(groups, in: namespace)
    }

    /// Adds the addresses 192.0.2.1/24 and 2001:db8::1/64 to `a`; they are usable when this returns.
    mutating func addAddresses() async throws {
        let (ipv4, ipv6) = (try prefix("192.0.2.1/24"), try prefix("2001:db8::1/64"))
        let events = try events([.ipv6Route])
        try kernel.addAddress(ipv4, to: a)
        try kernel.addAddress(ipv6, to: a, flags: .noDuplicateDetection)
        // The kernel enables an IPv6 address some time after the request; the address's own route is the last step.
        for try await case .message(.newRoute(let route, _)) in events where route.type == .local {
            if route.destination == NetworkPrefix(host: ipv6.address) { break }
        }
    }
}

extension RouteEvents {
    /// Waits until the kernel announces a link in a state, because it updates operational states some time after a request.
    @discardableResult
    func link(_ index: Int32, matching isWanted: (LinkMessage) -> Bool) async throws -> LinkMessage {
        for try await case .message(.newLink(let link)) in self where link.index == index && isWanted(link) {
            return link
        }
        throw CancellationError()
    }
}

func address(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> NetworkAddress {
    try #require(NetworkAddress(text), sourceLocation: sourceLocation)
}

func prefix(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> NetworkPrefix {
    try #require(NetworkPrefix(text), sourceLocation: sourceLocation)
}

/// The error with which the kernel rejects a request.
func refusal<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> NetlinkError {
    let error = try #require(throws: NetlinkError.self, sourceLocation: sourceLocation) { _ = try body() }
    #expect(error.code == .kernel, sourceLocation: sourceLocation)
    return error
}
#endif
