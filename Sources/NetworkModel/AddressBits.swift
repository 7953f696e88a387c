// SPDX-License-Identifier: Apache-2.0

/// The 128 bits of an address as an unsigned number.
///
/// Swift's `UInt128` needs macOS 15 and iOS 18.
@usableFromInline package struct AddressBits: Hashable, Sendable {
    /// The most significant 64 bits.
    @usableFromInline package let high: UInt64
    /// The least significant 64 bits.
    @usableFromInline package let low: UInt64

    @inlinable package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable package init(_ number: UInt32) { self.init(high: 0, low: UInt64(number)) }

    /// Creates the number from its bytes, the most significant one first; of more than 16, the last 16 count.
    @inlinable package init(bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(UInt32($1)) }
    }
}

extension AddressBits: ExpressibleByIntegerLiteral {
    @inlinable package init(integerLiteral value: UInt64) { self.init(high: 0, low: value) }
}

extension AddressBits {
    @inlinable package static func & (a: Self, b: Self) -> Self { Self(high: a.high & b.high, low: a.low & b.low) }
    @inlinable package static func | (a: Self, b: Self) -> Self { Self(high: a.high | b.high, low: a.low | b.low) }
    @inlinable package static func ^ (a: Self, b: Self) -> Self { Self(high: a.high ^ b.high, low: a.low ^ b.low) }

    // A shift of a `UInt64` by a negative number of bits shifts in the other direction, and one by 64 bits or more
    // returns 0.
    @inlinable package static func << (bits: Self, count: Int) -> Self {
        Self(high: bits.high << count | bits.low >> (64 - count), low: bits.low << count)
    }
    @inlinable package static func >> (bits: Self, count: Int) -> Self {
        Self(high: bits.high >> count, low: bits.low >> count | bits.high << (64 - count))
    }
}
