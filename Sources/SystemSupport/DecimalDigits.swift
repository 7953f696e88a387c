// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether it has only decimal digits of ASCII, and at least one: the initializers of numbers also accept a sign.
    package var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension BinaryInteger {
    /// The digits of the number, with zeros before them up to a width.
    package func digits(_ width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
