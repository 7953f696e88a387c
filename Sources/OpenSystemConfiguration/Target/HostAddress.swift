//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

package import Netlink

/// An address, and for a link-local one the link that it is on.
package struct HostAddress: Hashable, Sendable {
    /// Never one of IPv4 mapped into IPv6: that is kept as the IPv4 address.
    package let address: InetAddress
    /// The link's number.
    package let scope: Int32?

    package init(_ address: InetAddress, scope: Int32? = nil) {
        self.address = address.embeddedIPv4 ?? address
        self.scope = address.embeddedIPv4 == nil ? scope : nil
    }

    /// The question where packets to it go.
    package func lookup(from source: InetAddress? = nil) -> RouteLookup {
        RouteLookup(to: address, interface: scope, source: source)
    }
}

#endif
