//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
public import Netlink

/// Lets tests write addresses as text: `let router: InetAddress = "192.0.2.1"`.
extension InetAddress: ExpressibleByStringLiteral {
    /// Reads an address that the test wrote down.
    public init(stringLiteral text: String) {
        guard let address = InetAddress(text) else { preconditionFailure("\(text) is no address") }
        self = address
    }
}

/// Lets tests write networks as text: `let network: InetPrefix = "192.0.2.0/24"`.
extension InetPrefix: ExpressibleByStringLiteral {
    /// Reads a network that the test wrote down.
    public init(stringLiteral text: String) {
        guard let prefix = InetPrefix(text) else { preconditionFailure("\(text) is no network") }
        self = prefix
    }
}
#endif
