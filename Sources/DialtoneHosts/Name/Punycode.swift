// SPDX-License-Identifier: Apache-2.0

/// Punycode (RFC 3492): encodes any text as the letters, digits and hyphens that DNS allows.
enum Punycode {
    /// Encodes a text, without the prefix `xn--`; nil if the text is so long that a number overflows.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = UInt32(output.count)
        var handled = basicCount
        if basicCount > 0 { output.append(hyphen) }
        var (lowest, delta, bias): (UInt32, UInt32, UInt32) = (initialLowest, 0, initialBias)
        while handled < scalars.count {
            guard let next = scalars.lazy.map(\.value).filter({ $0 >= lowest }).min() else { return nil }
            let (step, overflowed) = (next - lowest).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflowedAgain) = delta.addingReportingOverflow(step)
            if overflowed || overflowedAgain { return nil }
            delta = sum
            for scalar in scalars {
                if scalar.value < next {
                    guard delta < .max else { return nil }
                    delta += 1
                }
                guard scalar.value == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            guard delta < .max else { return nil }
            delta += 1
            lowest = next + 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes a label without its prefix; nil if it is malformed.
    static func decode(_ text: some StringProtocol) -> [Unicode.Scalar]? {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let split = bytes.lastIndex(of: hyphen) ?? 0
        var output = bytes[..<split].map { Unicode.Scalar($0) }
        var rest = bytes[(split > 0 ? split + 1 : split)...]
        var (lowest, place, bias): (UInt32, UInt32, UInt32) = (initialLowest, 0, initialBias)
        while !rest.isEmpty {
            guard let delta = takeNumber(from: &rest, bias) else { return nil }
            let count = UInt32(output.count) + 1
            let (end, overflowed) = place.addingReportingOverflow(delta)
            if overflowed { return nil }
            bias = adapted(delta, count: count, isFirst: place == 0 && output.count == split)
            let (value, overflowedAgain) = lowest.addingReportingOverflow(end / count)
            guard !overflowedAgain, let scalar = Unicode.Scalar(value) else { return nil }
            lowest = value
            output.insert(scalar, at: Int(end % count))
            place = end % count + 1
        }
        return output
    }

    private static let (base, smallest, largest, skew, damping): (UInt32, UInt32, UInt32, UInt32, UInt32) =
        (36, 1, 26, 38, 700)
    private static let (initialBias, initialLowest): (UInt32, UInt32) = (72, 0x80)
    private static let hyphen = UInt8(ascii: "-")

    /// Adapts the bias (section 6.1), so that similar numbers are encoded in few digits.
    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps: UInt32 = 0
        while delta > (base - smallest) * largest / 2 {
            delta /= base - smallest
            steps += base
        }
        return steps + (base - smallest + 1) * delta / (delta + skew)
    }

    private static func threshold(_ step: UInt32, _ bias: UInt32) -> UInt32 {
        step <= bias + smallest ? smallest : min(step - bias, largest)
    }

    private static func append(_ number: UInt32, _ bias: UInt32, to output: inout [UInt8]) {
        var (number, step) = (number, base)
        while true {
            let threshold = threshold(step, bias)
            if number < threshold { break }
            output.append(digit(threshold + (number - threshold) % (base - threshold)))
            number = (number - threshold) / (base - threshold)
            step += base
        }
        output.append(digit(number))
    }

    private static func takeNumber(from rest: inout ArraySlice<UInt8>, _ bias: UInt32) -> UInt32? {
        var (number, weight, step): (UInt32, UInt32, UInt32) = (0, 1, base)
        while let value = rest.popFirst().flatMap(value(ofDigit:)) {
            let (part, overflowed) = value.multipliedReportingOverflow(by: weight)
            let (sum, overflowedToo) = number.addingReportingOverflow(part)
            if overflowed || overflowedToo { return nil }
            number = sum
            let threshold = threshold(step, bias)
            if value < threshold { return number }
            let (next, tooMuch) = weight.multipliedReportingOverflow(by: base - threshold)
            if tooMuch { return nil }
            (weight, step) = (next, step + base)
        }
        return nil
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func value(ofDigit digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 26
        default: nil
        }
    }
}
