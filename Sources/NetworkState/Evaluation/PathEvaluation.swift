//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// Whether and over what packets can leave this host: the answer that a path in Apple's words is made of.
public struct PathEvaluation: Hashable, Sendable {
    /// Whether there is a path.
    public enum Status: Hashable, Sendable {
        /// There is.
        case satisfied
        /// There is none.
        case unsatisfied
        /// There is none, but a link that would carry one only waits to be connected.
        case requiresConnection
    }

    /// A router, on its link.
    public struct Gateway: Hashable, Sendable {
        /// The router's address.
        public var address: InetAddress
        /// The link's number.
        public var interface: Int32
    }

    /// Whether there is a path.
    public var status: Status
    /// The links that could carry packets, most preferred first.
    public var interfaces: [NetworkInterface] = []
    /// The types in use: of the links that packets leave by, and of what carries a tunnel.
    public var usedTypes: Set<InterfaceType> = []
    /// IPv4 packets can leave.
    public var supportsIPv4 = false
    /// IPv6 packets can leave.
    public var supportsIPv6 = false
    /// There is a name server.
    public var supportsDNS = false
    /// The next routers.
    public var gateways: [Gateway] = []
    /// A link in use costs money by volume.
    public var isExpensive = false
    /// A link in use is to be used sparingly, by the user's wish.
    public var isConstrained = false
    /// A link in use is to be used for next to nothing, by the user's wish.
    public var isUltraConstrained = false
    /// What the signal of the Wi-Fi link in use promises; `unknown` over anything else.
    public var linkQuality = LinkQuality.unknown
    /// What is missing, when there is no path.
    ///
    /// Nil also when the network cannot be seen.
    public var obstacle: Obstacle?
}
