//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Plain decimal numbers: ASCII digits and nothing else, where Swift's own initialisers also take a sign.
enum DecimalText {
    /// The number `text` spells, or `nil` if it is empty, has anything but digits, or does not fit.
    static func value<Number: FixedWidthInteger>(_ text: some StringProtocol, as type: Number.Type) -> Number? {
        let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isDigits ? Number(text) : nil
    }
}

#endif
