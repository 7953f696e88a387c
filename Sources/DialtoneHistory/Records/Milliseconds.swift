// SPDX-License-Identifier: Apache-2.0

package import DialtoneSupport

/// Times as the history stores them: whole milliseconds since 1970, so that sums are exact.
extension Date {
    /// The milliseconds since 1970, rounded; years beyond 10000 are clamped to that range, and NaN becomes 0.
    package var milliseconds: Int64 {
        let value = timeIntervalSince1970 * 1000
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value, -253_402_300_800_000), 253_402_300_800_000).rounded())
    }

    /// Creates the time at this number of milliseconds since 1970, clamped to the same range.
    package init(milliseconds: Int64) {
        let range: ClosedRange<Int64> = -253_402_300_800_000...253_402_300_800_000
        self.init(timeIntervalSince1970: Double(min(max(milliseconds, range.lowerBound), range.upperBound)) / 1000)
    }
}
