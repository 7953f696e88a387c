// SPDX-License-Identifier: Apache-2.0

/// The limits on which we act when a run misses them, and whether this one met them: see docs/benchmarks.md.
struct Targets {
    private var table = Table("target", "measured", "")
    private(set) var count = 0
    private(set) var missed = 0

    /// Compares a value with its upper limit.
    mutating func check(_ name: String, _ value: Double?, atMost limit: Double, unit: String) {
        count += 1
        guard let value else {
            table.add(name, "–", "not measured")
            return
        }
        let isMet = value <= limit
        if !isMet { missed += 1 }
        table.add(name, "\(Figure.text(value)) \(unit)", isMet ? "met" : "**missed**")
    }

    /// Records whether a condition held.
    mutating func check(_ name: String, _ holds: Bool?, _ detail: String = "") {
        count += 1
        if holds == false { missed += 1 }
        table.add(name, detail.isEmpty ? "–" : detail, holds.map { $0 ? "met" : "**missed**" } ?? "not measured")
    }

    func show() { table.show() }
}

func sum(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b else { return nil }
    return a + b
}

func ratio(_ a: Double?, _ b: Double?) -> Double? {
    guard let a, let b, b > 0 else { return nil }
    return a / b
}
