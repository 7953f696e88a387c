// SPDX-License-Identifier: Apache-2.0

/// Measured values.
struct Samples {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var count: Int { values.count }
    var median: Double? { quantile(0.5) }
    var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(count) }

    func quantile(_ part: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    }
}

/// Formats numbers for tables.
enum Figure {
    static func text(_ value: Double?, digits: Int? = nil) -> String {
        guard let value else { return "–" }
        let digits = digits ?? (abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2)
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        guard digits > 0 else { return "\(Int(rounded))" }
        var text = "\(abs(rounded))"
        let fraction = text.split(separator: ".").last.map(\.count) ?? 0
        text += String(repeating: "0", count: max(0, digits - fraction))
        return (rounded < 0 ? "-" : "") + text
    }

    /// KiB, shown as megabytes.
    static func megabytes(_ kibibytes: Int) -> String { text(Double(kibibytes) / 1024, digits: 1) }
    static func megabytes(_ kibibytes: Double?) -> String { text(kibibytes.map { $0 / 1024 }, digits: 1) }
}

/// A table in Markdown, with columns of equal width.
struct Table {
    private var rows: [[String]]

    init(_ header: String...) { rows = [header] }
    init(_ header: [String]) { rows = [header] }

    mutating func add(_ cells: String...) { rows.append(cells) }
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// A table whose rows are samples.
    static func ofSamples() -> Table { Table("", "mean", "least", "most", "n") }

    mutating func add(_ name: String, _ samples: Samples) {
        let cells = [samples.mean, samples.quantile(0), samples.quantile(1)].map { Figure.text($0) }
        add([name] + cells + ["\(samples.count)"])
    }

    func show() {
        let widths = (0..<rows[0].count).map { column in max(2, rows.map { $0[column].count }.max() ?? 0) }
        for (number, row) in rows.enumerated() {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }
            print("| " + cells.joined(separator: " | ") + " |")
            if number == 0 {
                let rule = widths.enumerated().map { column, width in
                    column == 0 ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
                }
                print("| " + rule.joined(separator: " | ") + " |")
            }
        }
        print("")
    }
}
