// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Dialtone
import NetworkSimulation

/// What lies between a program and the hosts of the Internet, in order, for a ``ScriptedNetwork`` to play.
///
/// A packet meets the parts in their order. Each applies its behaviors in turn, until one of them ends its way.
public struct NetworkChain: Sendable {
    /// The path that this machine has; its gateways are its routers.
    public var path: NetworkPath
    /// The parts, the nearest first.
    public var parts: [Part]
    /// The configured name servers.
    public var nameServers: [NetworkAddress]
    /// The hosts beyond all parts.
    public var hosts: [Host]
    /// The routers of the link that carries a tunnel, if the path is one: packets to them do not enter it, others do.
    public var carriers: [NetworkPath.Gateway]?

    /// Creates a chain.
    public init(path: NetworkPath, parts: [Part], nameServers: [NetworkAddress], hosts: [Host] = .operators) {
        self.path = path
        self.parts = parts
        self.nameServers = nameServers
        self.hosts = hosts
    }

    /// A home: this machine, a router that forwards DNS, and a provider.
    public static var home: Self {
        let path = SimulatedPath.wired.path
        let routers = path.gateways.map(\.address)
        return Self(
            path: path,
            parts: [
                Part(.machine), Part(.router, addresses: routers, names: .forwarded, isRouter: true),
                Part(.provider, passing: [.delays(.milliseconds(8))]),
            ],
            nameServers: [routers[0]])
    }

    /// The first part of a kind; a part that the chain lacks is added before those of later kinds.
    public subscript(kind: Part.Kind) -> Part {
        get { parts.first { $0.kind == kind } ?? Part(kind) }
        set {
            if let place = parts.firstIndex(where: { $0.kind == kind }) {
                parts[place] = newValue
            } else {
                parts.insert(newValue, at: parts.firstIndex { kind < $0.kind } ?? parts.endIndex)
            }
        }
    }
}

extension NetworkChain {
    /// A machine that packets pass through, or end at.
    public struct Part: Sendable {
        /// What a part is, in the order in which a packet usually meets them.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Kind: Hashable, Sendable, CaseIterable, Comparable {
            /// This machine's own firewall.
            case machine
            /// A tunnel's end.
            case tunnel
            /// The first router.
            case router
            /// A box of the network, such as a portal or a filter.
            case box
            /// The provider's network.
            case provider

            /// Whether a packet usually meets one before the other.
            public static func < (one: Self, other: Self) -> Bool { one.place < other.place }

            private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        }

        /// Its kind.
        public var kind: Kind
        /// Its own addresses, if it answers for itself.
        public var addresses: [NetworkAddress]
        /// Its effects on packets that pass through it, in order.
        public var passing: [Behavior]
        /// What it does to packets for itself, in order, before it answers them.
        public var answering: [Behavior]
        /// Its name service; nil if nothing listens on port 53.
        public var names: NameService?
        /// Whether it counts down a packet's time to live.
        public var isRouter: Bool
        /// Whether it is there; if not, its link-layer address is not found either.
        public var isPresent = true

        /// Creates a part; by default all packets pass.
        public init(
            _ kind: Kind, addresses: [NetworkAddress] = [], passing: [Behavior] = [], answering: [Behavior] = [],
            names: NameService? = nil, isRouter: Bool = false
        ) {
            self.kind = kind
            self.addresses = addresses
            self.passing = passing
            self.answering = answering
            self.names = names
            self.isRouter = isRouter
        }
    }

    /// A name service.
    public enum NameService: Sendable {
        /// The addresses of the chain's hosts, as long as packets to the Internet pass; otherwise silence.
        case forwarded
        /// The addresses of the chain's hosts.
        case authoritative
        /// This answer for every name.
        case always(ScriptedResolver.Answer)
    }

    /// A host of the Internet.
    public struct Host: Sendable {
        /// Its names.
        public var names: [String]
        /// Its addresses.
        public var addresses: [NetworkAddress]
        /// How it answers HTTP and HTTPS.
        public var behavior: ScriptedInternet.Behavior
        /// Its name service; nil if nothing listens on port 53.
        public var nameService: NameService?

        /// Creates a host.
        public init(
            _ names: String..., addresses: [NetworkAddress], behavior: ScriptedInternet.Behavior = .online,
            nameService: NameService? = nil
        ) {
            self.names = names
            self.addresses = addresses
            self.behavior = behavior
            self.nameService = nameService
        }
    }

    /// The effect of a part on some packets.
    public struct Behavior: Sendable {
        enum Effect: Sendable {
            case drop
            case reject
            case report(code4: UInt8, code6: UInt8)
            case reset
            case delay(Duration)
            case vary(Duration)
            case loseLarge
            case lose(Double)
            case play(ScriptedInternet.Behavior)
            case resolve(ScriptedResolver.Answer)
        }

        /// Packets that a behavior applies to.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Traffic: Hashable, Sendable {
            /// All packets.
            case all
            /// ICMP echo requests.
            case echo
            /// UDP to any port.
            case udp
            /// UDP to a port.
            case udpPort(UInt16)
            /// TCP to any port.
            case tcp
            /// TCP to a port.
            case tcpPort(UInt16)
            /// All packets of one IP version.
            case version(NetworkAddress.Version)
        }

        let effect: Effect
        var traffic = Traffic.all
        /// The addresses that the packets are for; nil for all.
        var destinations: Set<NetworkAddress>?

        /// They are dropped; calls that send a datagram fail with `EPERM` if this machine's own firewall does that.
        public static let drops = Self(effect: .drop)
        /// A report comes back that they are administratively prohibited (RFC 1812, RFC 4443).
        public static let rejects = Self(effect: .reject)
        /// A report comes back that there is no route to their destination.
        public static let reportsNoRoute = Self(effect: .report(code4: 0, code6: 0))
        /// A report comes back that the destination, or the next router, does not answer.
        public static let reportsNoHost = Self(effect: .report(code4: 1, code6: 3))
        /// Connections are reset in the name of the host; other packets are dropped.
        public static let resets = Self(effect: .reset)
        /// They and their answers take longer, both together by this time.
        public static func delays(_ time: Duration) -> Self { Self(effect: .delay(time)) }
        /// They and their answers take longer, each packet by another time up to this one: they overtake each other.
        public static func varies(upTo time: Duration) -> Self { Self(effect: .vary(time)) }
        /// Packets of full size are lost, without a report: a server's part of a handshake does not arrive.
        public static let losesLargePackets = Self(effect: .loseLarge)
        /// This share of them is lost, and the same share of their answers.
        public static func loses(_ share: Double) -> Self { Self(effect: .lose(share)) }
        /// Connections are accepted in the name of the host, and answered in this way.
        public static func plays(_ behavior: ScriptedInternet.Behavior) -> Self { Self(effect: .play(behavior)) }
        /// DNS queries are answered in the name of the server, in this way.
        public static func resolves(_ answer: ScriptedResolver.Answer) -> Self {
            Self(effect: .resolve(answer), traffic: .udpPort(53))
        }

        /// The same, of these packets only.
        public func only(_ traffic: Traffic) -> Self {
            Self(effect: effect, traffic: traffic, destinations: destinations)
        }

        /// The same, of packets to these addresses only.
        public func towards(_ addresses: [NetworkAddress]) -> Self {
            Self(effect: effect, traffic: traffic, destinations: Set(addresses))
        }
    }
}

extension [NetworkChain.Host] {
    /// The hosts of the default endpoints, which give the expected answers, and the public resolvers.
    public static var operators: Self {
        let names = [InternetCheck.Endpoint].defaults.compactMap { try? HostTarget($0.url).host }
            .reduce(into: [String]()) { names, host in
                if case .name(let name) = host, !names.contains(name) { names.append(name) }
            }
        let hosts = names.enumerated().map { place, name in
            let last = UInt8(place + 1)
            return NetworkChain.Host(
                name,
                addresses: [
                    NetworkAddress(89, 160, 20, last),
                    NetworkAddress("2a02:ec80:600::\(last)") ?? .any(.ipv6),
                ], behavior: ScriptedInternet.Behavior(answer))
        }
        // A server of encrypted DNS rejects what is not TLS.
        return hosts
            + [NetworkAddress].publicResolvers.map {
                NetworkChain.Host(addresses: [$0], nameService: .authoritative)
            }
    }

    /// The answer that the default endpoint at a path must give.
    @Sendable private static func answer(_ request: ScriptedInternet.RecordedRequest) -> ScriptedInternet.Response {
        switch request.path {
        case "/hotspot-detect.html", "/library/test/success.html":
            .answer(200, fields: ["Content-Type": "text/html"], body: "<HTML><TITLE>Success</TITLE></HTML>")
        case "/static/hotspot.txt": .answer(200, body: "OK")
        default: .answer(204)
        }
    }
}
#endif
