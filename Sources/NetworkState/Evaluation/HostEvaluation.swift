//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// Whether and how packets get from this host to one address.
public struct HostEvaluation: Hashable, Sendable {
    /// Whether there is a way.
    public var status: PathEvaluation.Status
    /// The link that packets leave by, or the one that only waits to be connected.
    public var interface: NetworkInterface?
    /// The next router; nil when the address is on the link.
    public var gateway: InetAddress?
    /// The address belongs to this host.
    public var isLocalAddress = false
    /// No router is on the way.
    public var isDirect = false
    /// What is missing, when there is no way.
    public var obstacle: Obstacle?

    /// Makes an evaluation, for tests and scripts too.
    public init(
        status: PathEvaluation.Status, interface: NetworkInterface? = nil, gateway: InetAddress? = nil,
        isLocalAddress: Bool = false, isDirect: Bool = false, obstacle: Obstacle? = nil
    ) {
        self.status = status
        self.interface = interface
        self.gateway = gateway
        self.isLocalAddress = isLocalAddress
        self.isDirect = isDirect
        self.obstacle = obstacle
    }
}
