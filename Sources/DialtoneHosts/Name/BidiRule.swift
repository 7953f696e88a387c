// SPDX-License-Identifier: Apache-2.0

/// The rule for names with letters that are written from right to left: RFC 5893 section 2.
///
/// A name that follows it looks the same on every screen: no character is displayed inside a neighboring label.
/// It applies to every label of a name that has a label written from right to left.
enum BidiRule {
    /// The classes of Unicode's bidirectional algorithm (UAX #9) that characters of host names can have.
    private enum Class {
        case left, right, arabicNumber, europeanNumber, mark, neutral
    }

    /// The first label that breaks the rule; nil if none does, and for names without such letters.
    ///
    /// - Parameter labels: the characters of each label, decoded, each of them valid in a host name.
    static func firstBroken(_ labels: [[Unicode.Scalar]]) -> Int? {
        let classes = labels.map { $0.map(characterClass) }
        guard classes.contains(where: { $0.contains { $0 == .right || $0 == .arabicNumber } }) else { return nil }
        return classes.firstIndex { !follows($0) }
    }

    private static func follows(_ label: [Class]) -> Bool {
        let last = label.last { $0 != .mark }
        switch label.first {
        // Conditions 1, 5 and 6.
        case .left:
            return !label.contains(.right) && !label.contains(.arabicNumber)
                && (last == .left || last == .europeanNumber)
        // Conditions 1 to 4.
        case .right:
            return !label.contains(.left) && (last == .right || last == .europeanNumber || last == .arabicNumber)
                && !(label.contains(.europeanNumber) && label.contains(.arabicNumber))
        default: return false
        }
    }

    /// The ranges are those that Unicode reserves for scripts of each direction (DerivedBidiClass.txt).
    private static func characterClass(_ scalar: Unicode.Scalar) -> Class {
        switch scalar.value {
        case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
        case 0x660...0x669, 0x10D30...0x10D39: return .arabicNumber
        case 0x2D, 0x5F, 0xB7, 0x375, 0x30FB, 0x200C, 0x200D: return .neutral
        default: break
        }
        if scalar.properties.generalCategory == .nonspacingMark { return .mark }
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return .right
        default: return .left
        }
    }
}
