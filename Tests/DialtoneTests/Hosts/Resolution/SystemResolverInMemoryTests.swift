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

    @Test func `a name server that drops queries for IPv6 addresses does not hold up IPv4`() async throws {
        let network = ScriptedNetwork()
        let address = try #require(NetworkChain.home.hosts.first?.addresses.first)
        // The C library waits five seconds before it repeats a lost query.
        let host = NameServiceHost(nameServers: NetworkChain.home.nameServers) { _, family in
            (.success([address]), family == .any ? .seconds(5) : .zero)
        }
        let resolver = SystemResolver(of: host, over: network.transport.runner)
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://probe.example.org/204", "https://probe.example.org/204"],
            timeouts: .init(resolve: .seconds(4)), captivePortalAPI: .off)
        var check = try InternetCheck(
            configuration, prober: SocketHTTPProbe(resolver: resolver, over: network.transport.runner))
        check.transport = network.transport
        let report = await network.run { [check] in await check.run() }
        #expect(report.verdict == .verified, "\(report)")
    }

    @Test func `name servers that refuse are reported long before the timeout`() async throws {
        // Nothing listens on port 53 of the router, and the C library's retries take half a minute.
        var chain = NetworkChain.home
        chain[.router].names = nil
        let network = ScriptedNetwork(chain)
        let host = NameServiceHost(nameServers: chain.nameServers) { _, _ in
            (.failure(.resolving(.nameServerFailure)), .seconds(30))
        }
        let resolver = SystemResolver(of: host, over: network.transport.runner)
        let error = await network.run { () -> ProbeError? in
            do {
                _ = try await resolver.addresses(of: "probe.example.org", family: .any)
                return nil
            } catch {
                return error as? ProbeError
            }
        }
        #expect(error?.code == .nameServerRefused)
        #expect(network.clock.now.offset < .seconds(1))
    }

    @Test func `reactions of an earlier probe are not those of the name servers that replaced its own`() throws {
        let (old, new): (NetworkAddress, NetworkAddress) = ("192.0.2.1", "192.0.2.2")
        let now = TestClock().timeSource.now
        var examination = SystemResolver.Examination()
        let first = examination.begin(at: now)
        examination.update(first) { $0 = NameServers([old]) }
        examination.update(first) { $0.react(0, .init(outcome: .answers, duration: .zero)) }
        #expect(examination.servers.reactions.map(\.answer?.outcome) == [.answers])
        // Nothing is known yet about the servers of the second probe, whose thread has not started.
        let second = examination.begin(at: now)
        #expect(examination.servers.reactions.isEmpty)
        examination.update(second) { $0 = NameServers([new]) }
        examination.update(first) { $0.react(0, .init(outcome: .refuses, duration: .seconds(3))) }
        #expect(examination.servers.reactions.map(\.server) == [new])
        #expect(examination.servers.reactions.map(\.answer?.outcome) == [nil])
        // The first probe's thread may also start after the second.
        examination.update(first) { $0 = NameServers([old]) }
        #expect(examination.servers.reactions.map(\.server) == [new])
    }
}
#endif
