// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CLinux

/// Runs a classic BPF program as the kernel would, for the instructions that a socket filter uses
/// (the kernel's `Documentation/networking/filter.rst`).
struct FilterInterpreter {
    struct Fault: Error {
        let place: Int
    }

    let program: [CLinux_FilterInstruction]

    /// Whether the filter accepts the packet.
    ///
    /// - Throws: `Fault` for a program that the kernel's verifier would reject. A load outside the packet drops it, as in the kernel.
    func accepts(_ packet: [UInt8]) throws -> Bool {
        var (a, x): (UInt32, UInt32) = (0, 0)
        var memory = [UInt32](repeating: 0, count: 16)
        var place = 0
        while place < program.count {
            let instruction = program[place]
            let operand = instruction.operand
            place += 1
            switch instruction.code {
            case 0x20 where operand == UInt32(bitPattern: -0x1000 + 12):
                a = Self.attribute(UInt16(truncatingIfNeeded: x), in: packet, from: Int(a))
            case 0x20, 0x40:
                guard let word = Self.load(4, at: UInt64(operand) + (instruction.code == 0x40 ? UInt64(x) : 0), packet)
                else { return false }
                a = word
            case 0x28:
                guard let half = Self.load(2, at: UInt64(operand), packet) else { return false }
                a = half
            case 0x30:
                guard let byte = Self.load(1, at: UInt64(operand), packet) else { return false }
                a = byte
            case 0x00: a = operand
            case 0x01: x = operand
            case 0x02: memory[Int(operand)] = a
            case 0x60: a = memory[Int(operand)]
            case 0x61: x = memory[Int(operand)]
            case 0x07: x = a
            case 0x1C: a = a &- x
            case 0x7C: a = x < 32 ? a >> x : 0
            case 0xA4: a ^= operand
            case 0x05: place += Int(operand)
            case 0x15: place += Int(a == operand ? instruction.jumpTrue : instruction.jumpFalse)
            case 0x25: place += Int(a > operand ? instruction.jumpTrue : instruction.jumpFalse)
            case 0x45: place += Int(a & operand != 0 ? instruction.jumpTrue : instruction.jumpFalse)
            case 0x06: return operand != 0
            default: throw Fault(place: place - 1)
            }
        }
        throw Fault(place: place)
    }

    /// Network byte order.
    private static func load(_ count: Int, at offset: UInt64, _ packet: [UInt8]) -> UInt32? {
        guard offset + UInt64(count) <= UInt64(packet.count) else { return nil }
        return packet[Int(offset)..<Int(offset) + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// `SKF_AD_NLATTR`: the offset of an attribute of the type, at or after an offset; 0 when it is missing.
    private static func attribute(_ type: UInt16, in packet: [UInt8], from start: Int) -> UInt32 {
        var offset = start
        while offset + 4 <= packet.count {
            let length = Int(packet[offset]) | Int(packet[offset + 1]) << 8
            guard length >= 4, offset + length <= packet.count else { return 0 }
            if (UInt16(packet[offset + 2]) | UInt16(packet[offset + 3]) << 8) & 0x3FFF == type { return UInt32(offset) }
            offset += (length + 3) & ~3
        }
        return 0
    }
}
#endif
