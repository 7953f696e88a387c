//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import CNetlinkShims

/// A classic BPF program that drops route notifications nobody waits for, inside the kernel.
///
/// A router may change a hundred thousand routes a second, of which none matters to a watcher: what matters are the routes
/// that cover an address somebody asks about. The filter lets through every message that is not about a route, and of
/// route messages those whose destination covers one of the addresses. For IPv6 it compares the first 32 bits.
///
/// Source: the kernel's `Documentation/networking/filter.rst`; `SKF_AD_NLATTR` finds an attribute.
struct SocketFilter {
    let instructions: [CNetlink_FilterInstruction]

    /// The kernel takes 4,096 instructions.
    private static let mostAddresses = 250

    /// A filter for routes that cover one of `addresses`; nil when there are too many for a program.
    init?(routesCovering addresses: some Collection<InetAddress>) {
        // IPv6 addresses that agree in their first word make one comparison.
        var seen: Set<InetAddress> = []
        let addresses = addresses.filter { seen.insert($0.comparedPart).inserted }
        guard addresses.count <= Self.mostAddresses else { return nil }
        var program: [FilterInstruction] = [
            .loadHalf(at: Offset.messageType),
            .jumpIfEqual(UInt32(MessageType.newRoute.rawValue.bigEndian), whenTrue: 2, whenFalse: 0),
            .jumpIfEqual(UInt32(MessageType.deleteRoute.rawValue.bigEndian), whenTrue: 1, whenFalse: 0),
            .accept,
        ]
        let ipv4 = Self.comparisons(addresses.filter { $0.family == .ipv4 })
        let ipv6 = Self.comparisons(addresses.filter { $0.family == .ipv6 })
        program += [
            // An unconditional jump reaches further than a conditional one, which has 8 bits.
            .loadByte(at: Offset.family),
            .jumpIfEqual(UInt32(AddressFamily.ipv4.rawValue), whenTrue: 2, whenFalse: 0),
            .jumpIfEqual(UInt32(AddressFamily.ipv6.rawValue), whenTrue: 2, whenFalse: 0),
            .accept,
            .jump(1),
            .jump(UInt32(ipv4.count)),
        ]
        // Reached by the first jump: IPv4 starts right behind the second one.
        program += ipv4 + ipv6
        instructions = program.map(\.encoded)
    }

    private init(_ program: [FilterInstruction]) { instructions = program.map(\.encoded) }

    /// Lets everything through, in place of a filter that was there before.
    static let everything = SocketFilter([.accept])

    /// Accepts when the destination's prefix covers one of the addresses, else drops.
    private static func comparisons(_ addresses: some Collection<InetAddress>) -> [FilterInstruction] {
        var program: [FilterInstruction] = [
            // A default route carries no destination: accept it by its length.
            .loadByte(at: Offset.destinationLength),
            .jumpIfEqual(0, whenTrue: 0, whenFalse: 1),
            .accept,
            // X = 32 - min(length, 32): how many bits of the first word are not the prefix's.
            .jumpIfGreater(32, whenTrue: 0, whenFalse: 1),
            .loadConstant(32),
            .moveToX,
            .loadConstant(32),
            .subtractX,
            .store(0),
            // A = the destination's first word.
            .loadXConstant(UInt32(RouteMessage.Attribute.destination.rawValue)),
            .loadConstant(UInt32(Offset.attributes)),
            .findAttribute,
            .jumpIfEqual(0, whenTrue: 0, whenFalse: 1),
            .accept,
            .moveToX,
            .loadWordIndirect(at: 4),
            .store(1),
        ]
        for address in addresses {
            program += [
                .load(1),
                .exclusiveOr(address.firstWord),
                .loadXFromMemory(0),
                .shiftRightX,
                .jumpIfEqual(0, whenTrue: 0, whenFalse: 1),
                .accept,
            ]
        }
        return program + [.drop]
    }

    private enum Offset {
        static let messageType: UInt32 = 4
        static let family: UInt32 = 16
        static let destinationLength: UInt32 = 17
        static let attributes = MessageHeader.size + RouteMessage.headerSize
    }
}

extension InetAddress {
    /// The address as far as the filter looks at it.
    fileprivate var comparedPart: InetAddress {
        family == .ipv4 ? self : InetAddress(family: family, number: (number >> 96) << 96)
    }

    /// The first 32 bits.
    fileprivate var firstWord: UInt32 { UInt32(truncatingIfNeeded: family == .ipv4 ? number : number >> 96) }
}
#endif
