// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
/// The rule that decides whether a measurement is flat.
///
/// The first third of the samples lets caches and pools fill. The medians of the second and the last third are compared:
/// a leak keeps growing, a cache does not.
struct Flatness {
    /// The measurement's name, with its unit.
    let name: String
    let samples: [Double]
    /// How much the last third's median may exceed the second third's, in the same unit.
    let absolute: Double
    /// A further allowance, as a fraction of the second third's median; the two are added.
    var relative = 0.0

    /// The medians of the three thirds; nil while there are too few samples.
    var thirds: [Double]? {
        guard samples.count >= 6 else { return nil }
        let size = samples.count / 3
        return [samples.prefix(size), samples.dropFirst(size).dropLast(size), samples.suffix(size)].map(Self.median)
    }

    /// The highest value that the last third's median may have.
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
