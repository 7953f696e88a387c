// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

/// A namespace with two connected links that are up.
struct Lab: ~Copyable {
    let namespace: NetworkNamespace
    var kernel: RouteNetlink
    let a: Int32
    let b: Int32

    init() async throws {
        let namespace = try NetworkNamespace()
        let (a, b) = try await namespace.connect("a", to: namespace, as: "b")
        let kernel = try RouteNetlink(in: namespace)
        self.namespace = namespace
        self.kernel = kernel
        (self.a, self.b) = (a, b)
    }

    func events(_ groups: [MulticastGroup] = MulticastGroup.routing) throws -> RouteEvents {
        try RouteEvents(groups, in: namespace)
    }

    /// Adds the addresses 192.0.2.1/24 and 2001:db8::1/64 to `a`; they are usable when this returns.
    func addAddresses() async throws {
        try await namespace.add(["192.0.2.1/24", "2001:db8::1/64"], to: "a")
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
