// SPDX-License-Identifier: Apache-2.0

/// A set of link types, as bits.
///
/// For a `Set` of them, the runtime searches all conformances of the program before the first path, which takes 250,000
/// instructions; and every path would allocate one.
package struct InterfaceTypes: Hashable, Sendable {
    private var bits: UInt8 = 0

    /// Creates a set without types.
    package init() {}

    init(_ types: Set<InterfaceType>) { for type in types { insert(type) } }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ type: InterfaceType) -> Bool { bits & Self.bit(type) != 0 }

    package mutating func insert(_ type: InterfaceType) { bits |= Self.bit(type) }

    /// The types as an ordinary set.
    var set: Set<InterfaceType> { Set(InterfaceType.all.filter(contains)) }

    private static func bit(_ type: InterfaceType) -> UInt8 {
        switch type {
        case .wifi: 1
        case .cellular: 2
        case .wiredEthernet: 4
        case .loopback: 8
        // `other`, and types that Apple adds.
        default: 16
        }
    }
}
