// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import CLinux

/// A classic BPF program that drops unneeded route notifications inside the kernel.
///
/// A router may change a hundred thousand routes a second, none of which matters to a watcher: only the routes that cover a
/// watched address do. The filter accepts every message that is not about a route, and of the route messages those whose
/// destination covers one of the addresses. For IPv6 it compares the first 32 bits.
///
/// Source: the kernel's `Documentation/networking/filter.rst`; `SKF_AD_NLATTR` finds an attribute.
struct SocketFilter {
    let instructions: [CLinux_FilterInstruction]

    /// The kernel's limit is 4,096 instructions.
    private static let mostAddresses = 250

    /// A filter for routes that cover one of `addresses`; nil when there are too many for a program.
    init?(routesCovering all: [NetworkAddress]) {
        // IPv6 addresses with the same first word need only one comparison.
        var addresses: [NetworkAddress] = []
        for address in all where !addresses.contains(address.comparedPart) {
            guard addresses.count < Self.mostAddresses else { return nil }
            addresses.append(address.comparedPart)
        }
        var program: [FilterInstruction] = [
            .loadHalf(at: Offset.messageType),
            .jumpIfEqual(UInt32(MessageType.newRoute.rawValue.bigEndian), whenTrue: 2, whenFalse: 0),
            .jumpIfEqual(UInt32(MessageType.deleteRoute.rawValue.bigEndian), whenTrue: 1, whenFalse: 0),
            .accept,
        ]
        let ipv4 = Self.comparisons(addresses.filter { $0.version == .ipv4 })
        let ipv6 = Self.comparisons(addresses.filter { $0.version == .ipv6 })
        program += [
            // An unconditional jump reaches farther than a conditional one, which has 8 bits.
            .loadByte(at: Offset.family),
            .jumpIfEqual(UInt32(AddressFamily.ipv4.rawValue), whenTrue: 2, whenFalse: 0),
            .jumpIfEqual(UInt32(AddressFamily.ipv6.rawValue), whenTrue: 2, whenFalse: 0),
            .accept,
            .jump(1),
            .jump(UInt32(ipv4.count)),
        ]
        // The target of the first jump: IPv4 starts right after the second one.
        program += ipv4 + ipv6
        instructions = program.map(\.encoded)
    }

    private init(_ program: [FilterInstruction]) { instructions = program.map(\.encoded) }

    /// Accepts every message; replaces an earlier filter.
    static let everything = SocketFilter([.accept])

    /// Accepts a message if the destination's prefix covers one of the addresses; otherwise drops it.
    private static func comparisons(_ addresses: [NetworkAddress]) -> [FilterInstruction] {
        var program: [FilterInstruction] = [
            // A default route has no destination attribute: accept it by its length.
            .loadByte(at: Offset.destinationLength),
            .jumpIfEqual(0, whenTrue: 0, whenFalse: 1),
            .accept,
            // X = 32 - min(length, 32): the number of bits of the first word that are outside the prefix.
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

extension NetworkAddress {
    /// The part of the address that the filter compares.
    fileprivate var comparedPart: NetworkAddress {
        version == .ipv4 ? self : NetworkAddress(version: .ipv6, bits: (bits >> 96) << 96)
    }

    /// The first 32 bits.
    fileprivate var firstWord: UInt32 { UInt32(truncatingIfNeeded: version == .ipv4 ? bits : bits >> 96) }
}

/// A BPF instruction of a filter (`linux/bpf_common.h`, `linux/filter.h`).
struct FilterInstruction {
    var code: UInt16
    var operand: UInt32 = 0
    var whenTrue: UInt8 = 0
    var whenFalse: UInt8 = 0

    var encoded: CLinux_FilterInstruction {
        CLinux_FilterInstruction(code: code, jumpTrue: whenTrue, jumpFalse: whenFalse, operand: operand)
    }

    static let accept = Self(code: 0x06, operand: .max)
    static let drop = Self(code: 0x06, operand: 0)
    static let moveToX = Self(code: 0x07)
    static let subtractX = Self(code: 0x1C)
    static let shiftRightX = Self(code: 0x7C)
    /// A = the offset of the attribute X at or after offset A, or 0: `SKF_AD_OFF + SKF_AD_NLATTR`.
    static let findAttribute = Self(code: 0x20, operand: UInt32(bitPattern: -0x1000 + 12))

    static func loadByte(at offset: UInt32) -> Self { Self(code: 0x30, operand: offset) }
    static func loadHalf(at offset: UInt32) -> Self { Self(code: 0x28, operand: offset) }
    static func loadWordIndirect(at offset: UInt32) -> Self { Self(code: 0x40, operand: offset) }
    static func loadConstant(_ value: UInt32) -> Self { Self(code: 0x00, operand: value) }
    static func loadXConstant(_ value: UInt32) -> Self { Self(code: 0x01, operand: value) }
    static func load(_ slot: UInt32) -> Self { Self(code: 0x60, operand: slot) }
    static func loadXFromMemory(_ slot: UInt32) -> Self { Self(code: 0x61, operand: slot) }
    static func store(_ slot: UInt32) -> Self { Self(code: 0x02, operand: slot) }
    static func exclusiveOr(_ value: UInt32) -> Self { Self(code: 0xA4, operand: value) }
    static func jump(_ distance: UInt32) -> Self { Self(code: 0x05, operand: distance) }
    static func jumpIfEqual(_ value: UInt32, whenTrue: UInt8, whenFalse: UInt8) -> Self {
        Self(code: 0x15, operand: value, whenTrue: whenTrue, whenFalse: whenFalse)
    }
    static func jumpIfGreater(_ value: UInt32, whenTrue: UInt8, whenFalse: UInt8) -> Self {
        Self(code: 0x25, operand: value, whenTrue: whenTrue, whenFalse: whenFalse)
    }
}

#endif
