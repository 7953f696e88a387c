// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration in seconds, below five with at most one decimal: `2.8 s`, `8 s`.
    var secondsText: String {
        let tenths = self < .seconds(5) ? rounded(to: .milliseconds(100)) : 10 * rounded(to: .seconds(1))
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") s"
    }

    /// The number of units, rounded; at most a billion, because a program's checker may report any duration.
    func rounded(to unit: Duration) -> Int { Int(max(-1e9, min((self / unit).rounded(), 1e9))) }

    /// The duration in milliseconds, rounded to a tenth.
    var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}

extension String {
    /// The text without the full stop that ends it.
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
