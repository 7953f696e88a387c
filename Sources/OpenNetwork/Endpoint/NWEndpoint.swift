//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

public import FoundationEssentials

/// Something a connection can be made to.
///
/// Mirrors Apple's `NWEndpoint`.
public enum NWEndpoint: Sendable {
    /// A port of a host.
    case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)

    /// A Bonjour service instance, for example `printer` of type `_ipp._tcp` in `local`.
    case service(name: String, type: String, domain: String, interface: NWInterface?)

    /// A Unix domain socket.
    case unix(path: String)

    /// A resource named by a URL.
    case url(URL)

    /// An endpoint known only to whoever made it; two are equal when they are the same object.
    case opaque(nw_endpoint_t)

    /// The interface the endpoint is scoped to, if any.
    public var interface: NWInterface? {
        switch self {
        case .hostPort(let host, _): host.interface
        case .service(_, _, _, let interface): interface
        case .unix, .url, .opaque: nil
        }
    }
}

extension NWEndpoint: CustomDebugStringConvertible {
    /// The endpoint as text, in the forms Apple's framework logs.
    ///
    /// Host and port join with `:`, or with `.` when the host is an IPv6 address (`fe80::1%eth0.80`). A service is
    /// `name.typedomain`, then its scope.
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

#endif
