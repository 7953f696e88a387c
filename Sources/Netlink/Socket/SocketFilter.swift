// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import CLinux

/// A classic BPF program that drops unneeded notifications about routes and neighbours inside the kernel.
///
/// A router may change a hundred thousand routes a second, none of which matters to a watcher: only the routes that cover a
/// watched address do. A network may have thousands of neighbours, of which only the routers in use matter. The filter accepts
/// every message about something else, of the route messages those whose destination covers one of the addresses, and of the
/// neighbour messages those that may change which router the kernel uses. For IPv6 it compares the first 32 bits of a
/// destination, and the last 32 bits of a neighbour.
///
/// Source: the kernel's `Documentation/networking/filter.rst`; `SKF_AD_NLATTR` finds an attribute.
struct SocketFilter {
    let instructions: [CLinux_FilterInstruction]

    /// The kernel's limit is 4,096 instructions.
    private static let mostAddresses = 250
    /// More neighbours than a host has routers in use; further ones are dropped.
    private static let mostNeighbors = 32

    /// A filter for routes that cover one of `addresses`; nil when there are too many for a program.
    ///
    /// - Parameters:
    ///   - all: the addresses; nil accepts every route.
    ///   - neighbors: the neighbours; nil accepts every neighbour.
    init?(routesCovering all: [NetworkAddress]?, neighbors: [NeighborWatch]? = nil) {
        var routes: [FilterInstruction] = [.accept]
        if let all {
            guard let comparisons = Self.routes(covering: all) else { return nil }
            routes = comparisons
        }
        self.init(
            [
                .loadHalf(at: Offset.messageType),
                .jumpIfEqual(UInt32(MessageType.newRoute.rawValue.bigEndian), whenTrue: 4, whenFalse: 0),
                .jumpIfEqual(UInt32(MessageType.deleteRoute.rawValue.bigEndian), whenTrue: 3, whenFalse: 0),
                .jumpIfEqual(UInt32(MessageType.newNeighbor.rawValue.bigEndian), whenTrue: 3, whenFalse: 0),
                .jumpIfEqual(UInt32(MessageType.deleteNeighbor.rawValue.bigEndian), whenTrue: 2, whenFalse: 0),
                .accept,
                // An unconditional jump reaches farther than a conditional one, which has 8 bits.
                .jump(1),
                .jump(UInt32(routes.count)),
            ] + routes + (neighbors.map(Self.neighbors) ?? [.accept]))
    }

    /// The part for messages about routes; nil when there are too many addresses.
    private static func routes(covering all: [NetworkAddress]) -> [FilterInstruction]? {
        // IPv6 addresses with the same first word need only one comparison.
        var addresses: [NetworkAddress] = []
        for address in all where !addresses.contains(address.comparedPart) {
            guard addresses.count < mostAddresses else { return nil }
            addresses.append(address.comparedPart)
        }
        let ipv4 = comparisons(addresses.filter { $0.version == .ipv4 })
        let ipv6 = comparisons(addresses.filter { $0.version == .ipv6 })
        let families: [FilterInstruction] = [
            .loadByte(at: Offset.family),
            .jumpIfEqual(UInt32(AddressFamily.ipv4.rawValue), whenTrue: 2, whenFalse: 0),
            .jumpIfEqual(UInt32(AddressFamily.ipv6.rawValue), whenTrue: 2, whenFalse: 0),
            .accept,
            .jump(1),
            .jump(UInt32(ipv4.count)),
        ]
        // The target of the first jump: IPv4 starts right after the second one.
        return families + ipv4 + ipv6
    }

    /// The part for messages about neighbours.
    private static func neighbors(_ watched: [NeighborWatch]) -> [FilterInstruction] {
        var program: [FilterInstruction] = []
        for neighbor in watched.prefix(mostNeighbors) {
            // A state that is not announced as failed is announced several times a minute.
            let state: [FilterInstruction] =
                neighbor.hasFailed
                ? [.accept]
                : [
                    .loadHalf(at: Offset.messageType),
                    .jumpIfEqual(UInt32(MessageType.deleteNeighbor.rawValue.bigEndian), whenTrue: 2, whenFalse: 0),
                    .loadHalf(at: Offset.neighborState),
                    .jumpIfAnyBit(of: UInt32(NeighborState.failed.rawValue.bigEndian), whenTrue: 0, whenFalse: 1),
                    .accept,
                ]
            // The number of instructions up to the next neighbour.
            let rest = UInt8(state.count)
            program += [
                // The kernel writes the index in host byte order, and the filter loads big-endian.
                .loadWord(at: Offset.neighborInterface),
                .jumpIfEqual(UInt32(bitPattern: neighbor.interface).bigEndian, whenTrue: 0, whenFalse: rest + 9),
                .loadByte(at: Offset.family),
                .jumpIfEqual(UInt32(neighbor.address.family.rawValue), whenTrue: 0, whenFalse: rest + 7),
                .loadXConstant(UInt32(NeighborMessage.Attribute.destination.rawValue)),
                .loadConstant(Offset.neighborAttributes),
                .findAttribute,
                .jumpIfEqual(0, whenTrue: rest + 3, whenFalse: 0),
                .moveToX,
                .loadWordIndirect(at: UInt32(neighbor.address.byteCount)),
                .jumpIfEqual(neighbor.address.lastWord, whenTrue: 0, whenFalse: rest),
            ]
            program += state
        }
        return program + [.drop]
    }

    private init(_ program: [FilterInstruction]) { instructions = program.map(\.encoded) }

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
        static let neighborInterface: UInt32 = 20
        static let neighborState: UInt32 = 24
        static let neighborAttributes = UInt32(MessageHeader.size + NeighborMessage.headerSize)
    }
}

extension NetworkAddress {
    /// The part of the address that the filter compares.
    fileprivate var comparedPart: NetworkAddress {
        version == .ipv4 ? self : NetworkAddress(version: .ipv6, bits: (bits >> 96) << 96)
    }

    /// The first 32 bits.
    fileprivate var firstWord: UInt32 { UInt32(truncatingIfNeeded: version == .ipv4 ? bits.low : bits.high >> 32) }

    /// The last 32 bits.
    fileprivate var lastWord: UInt32 { UInt32(truncatingIfNeeded: bits.low) }
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
    static func loadWord(at offset: UInt32) -> Self { Self(code: 0x20, operand: offset) }
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
    static func jumpIfAnyBit(of value: UInt32, whenTrue: UInt8, whenFalse: UInt8) -> Self {
        Self(code: 0x45, operand: value, whenTrue: whenTrue, whenFalse: whenFalse)
    }
    static func jumpIfGreater(_ value: UInt32, whenTrue: UInt8, whenFalse: UInt8) -> Self {
        Self(code: 0x25, operand: value, whenTrue: whenTrue, whenFalse: whenFalse)
    }
}

#endif
