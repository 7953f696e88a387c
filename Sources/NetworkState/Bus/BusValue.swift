//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A value from the bus, as far as somebody here wants to know it.
indirect enum BusValue: Hashable {
    /// Any of the unsigned numbers and the boolean.
    case number(UInt64)
    /// Text, an object path or a signature.
    case text(String)
    /// The elements of an array, or the parts of a structure or dictionary entry.
    case list([BusValue])
    /// Signed and floating-point numbers, which nobody asks for.
    case other

    var number: UInt64? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let values) = self { values } else { nil } }

    /// A dictionary with text keys; later entries win.
    var dictionary: [String: BusValue]? {
        guard let list else { return nil }
        var dictionary: [String: BusValue] = [:]
        for entry in list {
            guard let parts = entry.list, parts.count == 2, let key = parts[0].text else { continue }
            dictionary[key] = parts[1]
        }
        return dictionary
    }
}
