// SPDX-License-Identifier: Apache-2.0

/// Finds the name that the user probably meant.
enum Spelling {
    /// The name that differs from a text in at most two letters; nil if no name does.
    static func nearest(to text: String, in names: [String]) -> String? {
        names.map { (name: $0, distance: distance(text, $0)) }.filter { $0.distance <= 2 && $0.distance < text.count }
            .min { $0.distance < $1.distance }?.name
    }

    /// The environment variables that look like a misspelled setting, each with the variable that the user probably
    /// meant.
    ///
    /// Other variables may belong to another program.
    static func misspelled(in environment: [String: String]) -> [(name: String, meant: String)] {
        let names = environment.keys.filter { $0.hasPrefix("DIALTONE_") }
        // Usually the list is empty, and the fast path of `status --passive` calls this.
        guard !names.isEmpty else { return [] }
        let variables = Setting.allCases.map(\.variable) + ["DIALTONE_CONFIG"]
        return names.filter { !variables.contains($0) }.sorted()
            .compactMap { name in nearest(to: name, in: variables).map { (name, $0) } }
    }

    /// The number of letters to insert, remove or replace to turn one text into the other (Levenshtein).
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other.utf8)
        var row = Array(0...other.count)
        for (index, letter) in one.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, second) in other.enumerated() {
                let replaced = diagonal + (letter == second ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
