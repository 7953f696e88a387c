// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import OpenNetwork
import Testing

struct NWEndpointTests {
    static let eth0 = NWInterface(type: .wiredEthernet, name: "eth0", index: 2)
    static let routerBytes = Data([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1])

    final class Handle: OS_nw_endpoint, CustomStringConvertible {
        var description: String { "handle" }
    }

    @Test func `endpoints describe themselves in the logged forms`() throws {
        let router = try #require(IPv6Address(Self.routerBytes, Self.eth0))
        let url = try #require(URL(string: "https://example.com/a?b=c"))
        let expected: [(NWEndpoint, String)] = [
            (.hostPort(host: "www.example.com", port: .https), "www.example.com:443"),
            (.hostPort(host: "192.0.2.1", port: 80), "192.0.2.1:80"),
            (.hostPort(host: "::1", port: 80), "::1.80"),
            (.hostPort(host: .ipv6(router), port: .any), "fe80::1%eth0.0"),
            (.hostPort(host: .name("printer", Self.eth0), port: 631), "printer%eth0:631"),
            (.service(name: "printer", type: "_ipp._tcp", domain: "local", interface: nil), "printer._ipp._tcplocal"),
            (
                .service(name: "printer", type: "_ipp._tcp.", domain: "local.", interface: Self.eth0),
                "printer._ipp._tcp.local.%eth0"
            ),
            (.unix(path: "/run/socket"), "/run/socket"),
            (.url(url), "https://example.com/a?b=c"),
            (.opaque(Handle()), "handle"),
        ]
        for (endpoint, text) in expected {
            #expect(endpoint.debugDescription == text)
            #expect("\(endpoint)" == text)
        }
    }

    @Test func `an endpoint has the interface of its host or service`() throws {
        let router = try #require(IPv6Address(Self.routerBytes, Self.eth0))
        let scoped: [NWEndpoint] = [
            .hostPort(host: .ipv6(router), port: 80),
            .hostPort(host: .name("printer", Self.eth0), port: 80),
            .service(name: "a", type: "b", domain: "c", interface: Self.eth0),
        ]
        #expect(scoped.allSatisfy { $0.interface == Self.eth0 })
        let unscoped: [NWEndpoint] = [
            .hostPort(host: "example.com", port: 80),
            .service(name: "a", type: "b", domain: "c", interface: nil),
            .unix(path: "/a"),
            .url(try #require(URL(string: "https://example.com"))),
            .opaque(Handle()),
        ]
        #expect(unscoped.allSatisfy { $0.interface == nil })
    }

    @Test func `an endpoint of a host can be copied with another port`() throws {
        let host = NWEndpoint.hostPort(host: .name("printer", Self.eth0), port: 631)
        #expect(
            NWEndpoint(copying: host, newPort: .https) == .hostPort(host: .name("printer", Self.eth0), port: .https))
        let url = try #require(URL(string: "https://example.com/"))
        for other in [NWEndpoint.unix(path: "/run/socket"), .url(url), .opaque(Handle())] {
            #expect(NWEndpoint(copying: other, newPort: .https) == nil)
        }
    }

    @Test func `endpoints with equal cases and values are equal`() throws {
        func make() throws -> [NWEndpoint] {
            [
                .hostPort(host: "a", port: 80), .hostPort(host: "a", port: 81), .hostPort(host: "b", port: 80),
                .service(name: "a", type: "b", domain: "c", interface: nil),
                .service(name: "a", type: "b", domain: "c", interface: Self.eth0),
                .service(name: "x", type: "b", domain: "c", interface: nil),
                .service(name: "a", type: "x", domain: "c", interface: nil),
                .service(name: "a", type: "b", domain: "x", interface: nil),
                .unix(path: "/a"), .unix(path: "/b"),
                .url(try #require(URL(string: "https://a.example"))),
                .url(try #require(URL(string: "https://b.example"))),
            ]
        }
        let endpoints = try make()
        #expect(try make() == endpoints)
        #expect(Set(endpoints + (try make())).count == endpoints.count)
    }

    @Test func `opaque endpoints are equal only to themselves`() {
        let handle = Handle()
        #expect(NWEndpoint.opaque(handle) == .opaque(handle))
        #expect(NWEndpoint.opaque(handle) != .opaque(Handle()))
        #expect(NWEndpoint.opaque(handle) != .unix(path: "handle"))
        #expect(Set([NWEndpoint.opaque(handle), .opaque(handle)]).count == 1)
    }
}

#endif
