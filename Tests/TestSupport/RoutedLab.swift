// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import Netlink
public import NetlinkTesting

/// Three namespaces in a row: a client, its router, and an Internet behind the router.
///
/// The client's link is `up0`, 192.0.2.2 with the router 192.0.2.1. The Internet's addresses are 203.0.113.1 and, for a
/// name server, 203.0.113.53.
public struct RoutedLab: Sendable {
    /// The namespace for the program under test.
    public let client: NetworkNamespace
    /// The namespace for servers.
    public let internet: NetworkNamespace
    private let router: NetworkNamespace
    /// The other end of the client's cable: the router's, or a switch's.
    private let socket: (namespace: NetworkNamespace, link: String)
    /// The provider's routers, between the client's router and the Internet.
    public let provider: [NetworkNamespace]
    /// The wires on both sides of the router, if the lab has them.
    public let wires: Wires?

    /// The wires on both sides of a router; packets to the Internet go outward.
    public struct Wires: Sendable {
        /// The wire between the router and the switch that the client's cable leads to.
        public let lan: Wire
        /// The wire between the router and the Internet, or the provider's first router.
        public let wan: Wire
        /// The wires behind each of the provider's routers.
        public let provider: [Wire]
    }

    /// Creates the namespaces; the client is not connected yet.
    ///
    /// - Parameters:
    ///   - isWired: whether the router's links are wires; then there is a switch between the client and the router,
    ///     so that the client keeps its carrier without the router. It needs tunnel links.
    ///   - providerRouters: the number of the provider's routers, in a lab with wires.
    /// - Throws: the kernel's error.
    public init(wired isWired: Bool = false, providerRouters: Int = 0) throws {
        (client, router, internet) = (try NetworkNamespace(), try NetworkNamespace(), try NetworkNamespace())
        provider = try (0..<providerRouters).map { _ in try NetworkNamespace() }
        let (client, router, internet) = (client, router, internet)
        if isWired {
            let hub = try NetworkNamespace()
            let port = try hub.run {
                var kernel = try RouteNetlink()
                let port = try Tunnel(name: "port1", carrying: .frames)
                try Self.connect(&kernel, near: "port0", far: "up0", in: client)
                try kernel.createLink(.bridge(name: "br0"))
                let bridge = try kernel.link(named: "br0").index
                for name in ["port0", "port1"] {
                    try kernel.setLink(kernel.link(named: name).index, controller: bridge)
                    try kernel.setLink(kernel.link(named: name).index, up: true)
                }
                try kernel.setLink(bridge, up: true)
                return port
            }
            socket = (hub, "port0")
            let near = try router.run {
                (try Tunnel(name: "lan0", carrying: .frames), try Tunnel(name: "wan0", carrying: .packets))
            }
            let links = try provider.enumerated().map { number, router in
                try router.run { try Self.providerLinks(number) }
            }
            let far = links.map(\.near) + [try internet.run { try Tunnel(name: "net0", carrying: .packets) }]
            let wires = try zip([near.1] + links.map(\.far), far).map { try Wire($0, $1, carrying: .packets) }
            self.wires = Wires(
                lan: try Wire(port, near.0, carrying: .frames), wan: wires[0], provider: Array(wires.dropFirst()))
        } else {
            try router.run {
                var kernel = try RouteNetlink()
                try Self.connect(&kernel, near: "lan0", far: "up0", in: client)
                try Self.connect(&kernel, near: "wan0", far: "net0", in: internet)
            }
            (socket, wires) = ((router, "lan0"), nil)
        }
        try router.run {
            var kernel = try RouteNetlink()
            try Self.address(&kernel, "lan0", "192.0.2.1/24")
            try Self.address(&kernel, "wan0", "203.0.113.254/24")
            try Setting.write("ipv4/ip_forward", 1)
        }
        try internet.run {
            var kernel = try RouteNetlink()
            try Self.address(&kernel, "net0", "203.0.113.1/24")
            try Self.address(&kernel, "net0", "203.0.113.53/24")
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(203, 0, 113, 254)))
        }
    }

    /// Connects the client, and sets its address and its route; the client is online when this returns.
    public func join() async throws {
        let events = try RouteEvents(in: client)
        try await client.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
            try Self.address(&kernel, "up0", "192.0.2.2/24")
            try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
        }
        // The kernel may take up to a second to report the carrier.
        var kernel = try RouteNetlink(in: client)
        for try await _ in events {
            if try kernel.link(named: "up0").flags.contains(.running) { break }
        }
    }

    /// Switches the router's uplink off or on; the client's link does not change.
    public func setUplink(up: Bool) throws {
        try router.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(kernel.link(named: "wan0").index, up: up)
        }
    }

    /// Unplugs the client's cable, or plugs it in again.
    ///
    /// Returns when the client's kernel has noticed that the cable is unplugged.
    public func setCable(connected: Bool) async throws {
        let events = try RouteEvents([.link], in: client)
        var far = try RouteNetlink(in: socket.namespace)
        try far.setLink(far.link(named: socket.link).index, up: connected)
        var kernel = try RouteNetlink(in: client)
        guard !connected, try kernel.link(named: "up0").flags.contains(.running) else { return }
        for try await _ in events where try !kernel.link(named: "up0").flags.contains(.running) { return }
    }

    /// Removes the router's address on the client's side: it no longer answers there, although the link stays up.
    public func silenceRouter() throws {
        try router.run {
            var kernel = try RouteNetlink()
            try kernel.deleteAddress("192.0.2.1/24", from: kernel.link(named: "lan0").index)
        }
    }

    /// Gives the router its address on the client's side again.
    public func restoreRouter() throws {
        try router.run {
            var kernel = try RouteNetlink()
            try Self.address(&kernel, "lan0", "192.0.2.1/24")
        }
    }

    /// Waits until the client's kernel has found that a neighbor does not answer.
    public func waitForSilence(of neighbor: NetworkAddress) async throws {
        let events = try RouteEvents([.neighbor], in: client)
        var kernel = try RouteNetlink(in: client)
        if try kernel.neighbors().contains(where: { Self.isSilent($0, neighbor) }) { return }
        for try await event in events {
            if case .message(.newNeighbor(let message)) = event, Self.isSilent(message, neighbor) { return }
        }
    }

    private static func isSilent(_ message: NeighborMessage, _ neighbor: NetworkAddress) -> Bool {
        message.address == neighbor && message.state.contains(.failed)
    }

    /// Runs a closure in the router's namespace.
    public func runInRouter<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await router.run(body)
    }

    /// The link-layer addresses of the client and of the router on the client's side, such as `00:00:5e:00:53:01`.
    public func linkAddresses() throws -> (client: String, router: String) {
        func address(_ link: String, _ namespace: NetworkNamespace) throws -> String {
            var kernel = try RouteNetlink(in: namespace)
            let bytes = try kernel.link(named: link).hardwareAddress ?? []
            return bytes.map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined(separator: ":")
        }
        return (try address("up0", client), try address("lan0", router))
    }

    /// Makes the calling thread's namespace a router of the provider: the neighbors on both sides do not notice it, except that it
    /// decrements TTLs and reports errors.
    private static func providerLinks(_ number: Int) throws -> (near: Tunnel, far: Tunnel) {
        let links = (
            near: try Tunnel(name: "in0", carrying: .packets), far: try Tunnel(name: "out0", carrying: .packets)
        )
        for setting in ["ipv4/ip_forward", "ipv6/conf/all/forwarding"] { try Setting.write(setting, 1) }
        var kernel = try RouteNetlink()
        let (near, far) = (try kernel.link(named: "in0").index, try kernel.link(named: "out0").index)
        for link in [1, near, far] { try kernel.setLink(link, up: true) }
        for prefix in ["100.64.0.\(number + 1)/32", "2001:db8:64::\(number + 1)/128"].compactMap(NetworkPrefix.init) {
            try kernel.addAddress(prefix, to: near, flags: prefix.address.version == .ipv4 ? [] : .noDuplicateDetection)
        }
        for version in IPVersion.allCases { try kernel.addRoute(NewRoute(.all(version), interface: far)) }
        let behind: [NetworkPrefix] = ["192.0.2.0/24", "203.0.113.254/32", "2001:db8:1::/64", "2001:db8:2::fe/128"]
        for prefix in behind {
            try kernel.addRoute(NewRoute(prefix, interface: near))
        }
        return links
    }

    private static func connect(
        _ kernel: inout RouteNetlink, near: String, far: String, in other: NetworkNamespace
    ) throws {
        try kernel.createLink(.veth(name: near, peer: far))
        try kernel.setLink(kernel.link(named: far).index, namespace: other)
    }

    private static func address(_ kernel: inout RouteNetlink, _ link: String, _ prefix: NetworkPrefix) throws {
        let index = try kernel.link(named: link).index
        try kernel.addAddress(prefix, to: index)
        try kernel.setLink(index, up: true)
    }
}
#endif
