//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Over what a link carries data, in the five words that Apple's `NWInterface.InterfaceType` has.
public enum InterfaceType: Hashable, Sendable, CaseIterable {
    /// Tunnels and whatever is none of the rest.
    case other
    /// Wi-Fi.
    case wifi
    /// A modem of a mobile network.
    case cellular
    /// Real or virtual Ethernet that is no tunnel.
    case wiredEthernet
    /// The host itself.
    case loopback
}
