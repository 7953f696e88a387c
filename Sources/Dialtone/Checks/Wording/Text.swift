// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration in seconds, below five with at most one decimal: `2.8 s`, `8 s`.
    var secondsText: String {
        let tenths =
            self < .seconds(5) ? Int((self / .milliseconds(100)).rounded()) : 10 * Int((self / .seconds(1)).rounded())
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") s"
    }

    /// The duration in milliseconds, rounded to a tenth.
    var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}

extension String {
    /// The text without the full stop that ends it.
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
