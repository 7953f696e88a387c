// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials

/// The destination of a connection.
///
/// Mirrors Apple's `NWEndpoint`.
#if hasAttribute(nonexhaustive)
@nonexhaustive(warn)
#endif
public enum NWEndpoint: Sendable {
    /// A port of a host.
    case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)

    /// A Bonjour service instance, for example `printer` of type `_ipp._tcp` in `local`.
    case service(name: String, type: String, domain: String, interface: NWInterface?)

    /// A Unix domain socket.
    case unix(path: String)

    /// A resource named by a URL.
    case url(URL)

    /// An endpoint known only to the code that created it; two are equal if they are the same object.
    case opaque(nw_endpoint_t)

    /// The interface that the endpoint is scoped to, if any.
    public var interface: NWInterface? {
        switch self {
        case .hostPort(let host, _): host.interface
        case .service(_, _, _, let interface): interface
        case .unix, .url, .opaque: nil
        }
    }

    /// Creates an endpoint with another port; nil for an endpoint that is not the port of a host.
    public init?(copying endpoint: NWEndpoint, newPort: NWEndpoint.Port) {
        guard case .hostPort(let host, _) = endpoint else { return nil }
        self = .hostPort(host: host, port: newPort)
    }
}

extension NWEndpoint: CustomDebugStringConvertible {
    /// The endpoint as text, in the forms Apple's framework logs.
    ///
    /// Host and port are joined with `:`, or with `.` when the host is an IPv6 address (`fe80::1%eth0.80`). A service
    /// is `name.typedomain`, then its scope.
    public var debugDescription: String {
        switch self {
        case .hostPort(let host, let port):
            if case .ipv6 = host { "\(host).\(port)" } else { "\(host):\(port)" }
        case .service(let name, let type, let domain, let interface):
            "\(name).\(type)\(domain)".scoped(to: interface)
        case .unix(let path): path
        case .url(let url): url.absoluteString
        case .opaque(let endpoint): String(describing: endpoint)
        }
    }
}

/// Written by hand only because of `opaque`, whose objects are compared by identity.
extension NWEndpoint: Hashable {
    /// Whether two endpoints are of the same case with equal contents; opaque ones must be the same object.
    public static func == (lhs: NWEndpoint, rhs: NWEndpoint) -> Bool { lhs.contents == rhs.contents }

    /// Hashes the contents that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(contents) }

    private enum Contents: Hashable {
        case hostPort(Host, Port)
        case service(String, String, String, NWInterface?)
        case unix(String)
        case url(URL)
        case opaque(ObjectIdentifier)
    }

    private var contents: Contents {
        switch self {
        case .hostPort(let host, let port): .hostPort(host, port)
        case .service(let name, let type, let domain, let interface): .service(name, type, domain, interface)
        case .unix(let path): .unix(path)
        case .url(let url): .url(url)
        case .opaque(let endpoint): .opaque(ObjectIdentifier(endpoint))
        }
    }
}

/// An endpoint object of the C interface, as Swift sees it on Apple platforms.
///
/// Here it exists so that source with a case for ``NWEndpoint/opaque(_:)`` compiles; this module never creates one.
public protocol OS_nw_endpoint: AnyObject, Sendable {}

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// The C interface's name for an endpoint object.
public typealias nw_endpoint_t = any OS_nw_endpoint

extension NWEndpoint {
    /// A host: a name, or an address.
    ///
    /// Mirrors Apple's `NWEndpoint.Host`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
    #endif
    public enum Host: Hashable, Sendable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// A name, to be resolved on the given interface if there is one.
        case name(String, NWInterface?)

        /// An IPv4 address.
        case ipv4(IPv4Address)

        /// An IPv6 address.
        case ipv6(IPv6Address)

        /// Creates a host from text; an address literal becomes an address, and everything else a name.
        ///
        /// An IPv4-mapped IPv6 literal becomes the IPv4 address inside it. A trailing `%` and interface name scope an
        /// address or a name if that interface exists; otherwise they stay part of the name. Nothing is resolved.
        public init(_ string: String) {
            let literal = AddressLiteral(string)
            if let address = literal.ipv4 {
                self = .ipv4(address)
            } else if let address = literal.ipv6 {
                let mapped = address.isIPv4Mapped ? address.asIPv4 : nil
                self = mapped.map(Self.ipv4) ?? .ipv6(address)
            } else if let interface = literal.namedInterface {
                self = .name(String(literal.body), interface)
            } else {
                self = .name(string, nil)
            }
        }

        /// Creates a host from a string literal, by the rules of `init(_:)`.
        public init(stringLiteral: String) {
            self.init(stringLiteral)
        }

        /// The interface that the host is scoped to, if any.
        public var interface: NWInterface? {
            switch self {
            case .name(_, let interface): interface
            case .ipv4(let address): address.interface
            case .ipv6(let address): address.interface
            }
        }

        /// The name or address, followed by `%` and the interface's name if scoped.
        public var debugDescription: String {
            switch self {
            case .name(let name, let interface): name.scoped(to: interface)
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }
}

#endif
