// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting
import TestSupport
import Testing

@testable import Dialtone

/// The system's resolver over a network in memory.
struct SystemResolverInMemoryTests {
    /// A lost answer delays both IP versions by five seconds.
    @Test(arguments: [(true, ["192.0.2.7"]), (false, ["2001:db8::7", "192.0.2.7"])])
    func `addresses of IPv4 alone are enough where this machine has a route to them`(
        supportsIPv4: Bool, addresses: [String]
    ) async throws {
        var chain = NetworkChain.home
        chain.path.supportsIPv4 = supportsIPv4
        chain.nameServers = [NetworkAddress].publicResolvers.filter { $0.version == .ipv6 }
        let network = ScriptedNetwork(chain)
        let found = try ["2001:db8::7", "192.0.2.7"].map { try #require(NetworkAddress($0)) }
        let host = NameServiceHost(nameServers: chain.nameServers) { _, family in
            (.success(found.filter(family.allows)), family == .any ? .seconds(5) : .zero)
        }
        let resolver = SystemResolver(of: host, over: network.transport.runner)
        let answer = await network.run { try? await resolver.addresses(of: "www.example.org", family: .any) }
        #expect(answer?.map(\.description) == addresses)
    }
}
#endif
