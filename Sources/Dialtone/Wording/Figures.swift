// SPDX-License-Identifier: Apache-2.0

/// Formats durations and shares.
package enum Figures {
    /// A duration in its two largest units, such as `3 h 12 min`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0 s" }
        let total = Int(min(seconds, 1e12).rounded())
        return switch total {
        case ..<1: "under 1 s"
        case ..<60: "\(total) s"
        case ..<3600: joined(total / 60, "min", total % 60, "s")
        case ..<86_400: joined(total / 3600, "h", total / 60 % 60, "min")
        default: joined(total / 86_400, "d", total / 3600 % 24, "h")
        }
    }

    /// A duration to the second, such as `1 d 3 h 12 min 5 s`.
    package static func exactDuration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0.5 else { return duration(seconds) }
        let total = Int(min(seconds, 1e12).rounded())
        let parts = [(total / 86_400, "d"), (total / 3600 % 24, "h"), (total / 60 % 60, "min"), (total % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    private static func joined(_ large: Int, _ largeUnit: String, _ small: Int, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }

    /// A fraction as a percentage, which is rounded neither up to 100 % nor down to 0 %: `99.98 %`.
    package static func percentage(_ fraction: Double) -> String {
        guard fraction.isFinite, fraction > 0 else { return "0 %" }
        guard fraction < 1 else { return "100 %" }
        let hundredths = Int((fraction * 10_000).rounded(.down))
        guard hundredths > 0 else { return "under 0.01 %" }
        let whole = hundredths / 100
        let part = hundredths % 100
        return part == 0 ? "\(whole) %" : "\(whole).\(part < 10 ? "0" : "")\(part) %"
    }

    /// The duration of a step, such as `23 ms` or `1.2 s`.
    package static func latency(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0.001 else { return "< 1 ms" }
        guard seconds >= 1 else { return "\(Int(seconds * 1000)) ms" }
        let tenths = Int(min(seconds, 1e9) * 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
