// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether it has only decimal digits of ASCII, and at least one: the initializers of numbers also accept a sign.
    package var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
