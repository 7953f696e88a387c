//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A question to the routing of the kernel: where a packet to an address would go.
public struct RouteLookup: Hashable, Sendable {
    /// The address.
    public var destination: InetAddress
    /// Only over this link, as for a socket bound to it.
    public var interface: Int32?
    /// As if sent from this address.
    public var source: InetAddress?
    /// As if sent with this firewall mark.
    public var mark: UInt32?

    /// Makes a question.
    public init(
        to destination: InetAddress, interface: Int32? = nil, source: InetAddress? = nil, mark: UInt32? = nil
    ) {
        self.destination = destination
        self.interface = interface
        self.source = source
        self.mark = mark
    }
}
