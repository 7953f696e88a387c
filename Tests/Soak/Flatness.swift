//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
/// The rule that says what is flat: a value.
///
/// The first third of the samples is for caches and pools to fill. Of the second and the last third the medians are compared:
/// a leak goes on growing, a cache does not.
struct Flatness {
    /// What is measured, with its unit.
    let name: String
    let samples: [Double]
    /// By how much the last third's median may exceed the second's, in the same unit.
    let absolute: Double
    /// The same as a part of the second's; the two allowances are added.
    var relative = 0.0

    /// The medians of the three thirds; nil while there are too few samples to have any.
    var thirds: [Double]? {
        guard samples.count >= 6 else { return nil }
        let size = samples.count / 3
        return [samples.prefix(size), samples.dropFirst(size).dropLast(size), samples.suffix(size)].map(Self.median)
    }

    /// How much the last third may be.
    var limit: Double? { thirds.map { $0[1] + absolute + relative * $0[1] } }

    /// Too few samples prove nothing.
    var isFlat: Bool {
        guard let thirds, let limit else { return false }
        return thirds[2] <= limit
    }

    var most: Double { samples.max() ?? 0 }

    private static func median(_ values: some Collection<Double>) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
#endif
