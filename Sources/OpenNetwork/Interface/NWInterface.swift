//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// A network interface of this host.
///
/// Mirrors Apple's `NWInterface`. Interfaces are equal when their index and name are; the type does not take part, so
/// an interface stays itself while more becomes known about it.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
    /// What kind of link an interface is.
    public enum InterfaceType: Hashable, Sendable {
        /// A tunnel, or anything the other cases do not describe.
        case other

        /// Wi-Fi.
        case wifi

        /// A cellular modem.
        case cellular

        /// Wired Ethernet.
        case wiredEthernet

        /// The loopback of this host.
        case loopback
    }

    /// What kind of link the interface is.
    public let type: InterfaceType

    /// The name the kernel gives the interface, such as `eth0`.
    public let name: String

    /// The number the kernel gives the interface, as `if_nametoindex` returns it.
    public let index: Int

    package init(type: InterfaceType, name: String, index: Int) {
        self.type = type
        self.name = name
        self.index = index
    }

    /// Whether two values are the same interface: same index, same name.
    public static func == (lhs: NWInterface, rhs: NWInterface) -> Bool {
        lhs.index == rhs.index && lhs.name == rhs.name
    }

    /// Hashes what `==` compares: index and name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(name)
    }

    /// The interface's name.
    public var debugDescription: String { name }
}

#endif
