//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What stands between this host and a path to the Internet, and on which link.
public struct Obstacle: Hashable, Sendable {
    /// The kinds of obstacle, from the nearest to the host to the farthest.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no network interface but loopback.
        case noInterface
        /// Every interface is switched off.
        case allDown
        /// The radio is switched off (rfkill), and nothing else is on.
        case radioOff
        /// An interface is on, but nothing is connected to it.
        case noCarrier
        /// A link is there, but waits for something, such as authentication or a dial.
        case dormant
        /// A link is there, but has no usable address.
        case noAddress
        /// The address is still being checked for duplicates.
        case addressTentative
        /// There is an address, but no route out.
        case noRoute
        /// A route or rule rejects packets explicitly.
        case routeUnreachable
    }

    /// What it is.
    public var reason: Reason
    /// The link concerned, if it is one link.
    public var interface: String?

    /// Makes an obstacle.
    public init(_ reason: Reason, interface: String? = nil) {
        self.reason = reason
        self.interface = interface
    }
}
