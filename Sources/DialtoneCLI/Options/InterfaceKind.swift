//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// A type of interface, as a person writes it.
enum InterfaceKind: String, CaseIterable {
    case wifi, cellular, wired, loopback, other

    var type: NWInterface.InterfaceType {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wired: .wiredEthernet
        case .loopback: .loopback
        case .other: .other
        }
    }
}
