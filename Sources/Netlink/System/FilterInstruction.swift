// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CNetlinkShims

/// A BPF instruction of a filter (`linux/bpf_common.h`, `linux/filter.h`).
struct FilterInstruction {
    var code: UInt16
    var operand: UInt32 = 0
    var whenTrue: UInt8 = 0
    var whenFalse: UInt8 = 0

    var encoded: CNetlink_FilterInstruction {
        CNetlink_FilterInstruction(code: code, jumpTrue: whenTrue, jumpFalse: whenFalse, operand: operand)
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
