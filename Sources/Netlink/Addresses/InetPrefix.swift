//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A range of addresses that share their first bits, such as `192.0.2.0/24`.
///
/// The address is kept as given: `192.0.2.7/24` is an interface's address together with its network.
public struct InetPrefix: Hashable, Sendable {
    /// The address.
    public let address: InetAddress
    /// How many leading bits belong to the network: 0 to 32, or 0 to 128.
    public let length: UInt8

    /// Makes a prefix; nil when the length exceeds the address's bits.
    public init?(_ address: InetAddress, length: UInt8) {
        guard length <= address.bitCount else { return nil }
        self.address = address
        self.length = length
    }

    /// The prefix of every bit: one host.
    public init(host address: InetAddress) {
        self.address = address
        length = UInt8(address.bitCount)
    }

    /// Reads `address/length`; without a length the prefix is one host.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ InetAddress(String($0)) }) else { return nil }
        if parts.count == 2 {
            guard parts[1].allSatisfy(\.isNumber), let length = UInt8(parts[1]) else { return nil }
            self.init(address, length: length)
        } else {
            self.init(host: address)
        }
    }

    /// `0.0.0.0/0` or `::/0`: everything.
    public static func all(_ family: AddressFamily) -> Self {
        Self(uncheckedAddress: .any(family), length: 0)
    }

    private init(uncheckedAddress: InetAddress, length: UInt8) {
        address = uncheckedAddress
        self.length = length
    }

    /// Whether `other` lies in this range.
    ///
    /// Families never mix.
    public func contains(_ other: InetAddress) -> Bool {
        guard other.family == address.family else { return false }
        let hostBits = UInt128(address.bitCount - Int(length))
        return hostBits >= 128 || (address.number ^ other.number) >> hostBits == 0
    }
}

extension InetPrefix: CustomStringConvertible {
    /// `address/length`.
    public var description: String { "\(address)/\(length)" }
}
