//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Written out only because of `opaque`, whose objects compare by identity.
extension NWEndpoint: Hashable {
    /// Whether two endpoints are of the same case with equal contents; opaque ones must be the same object.
    public static func == (lhs: NWEndpoint, rhs: NWEndpoint) -> Bool {
        switch (lhs, rhs) {
        case (.hostPort(let lhsHost, let lhsPort), .hostPort(let rhsHost, let rhsPort)):
            lhsHost == rhsHost && lhsPort == rhsPort
        case (
            .service(let lhsName, let lhsType, let lhsDomain, let lhsInterface),
            .service(let rhsName, let rhsType, let rhsDomain, let rhsInterface)
        ):
            lhsName == rhsName && lhsType == rhsType && lhsDomain == rhsDomain && lhsInterface == rhsInterface
        case (.unix(let lhs), .unix(let rhs)): lhs == rhs
        case (.url(let lhs), .url(let rhs)): lhs == rhs
        case (.opaque(let lhs), .opaque(let rhs)): lhs === rhs
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .hostPort(let host, let port):
            hasher.combine(0)
            hasher.combine(host)
            hasher.combine(port)
        case .service(let name, let type, let domain, let interface):
            hasher.combine(1)
            hasher.combine(name)
            hasher.combine(type)
            hasher.combine(domain)
            hasher.combine(interface)
        case .unix(let path):
            hasher.combine(2)
            hasher.combine(path)
        case .url(let url):
            hasher.combine(3)
            hasher.combine(url)
        case .opaque(let endpoint):
            hasher.combine(4)
            hasher.combine(ObjectIdentifier(endpoint))
        }
    }
}

#endif
