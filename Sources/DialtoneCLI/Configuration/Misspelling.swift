//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A variable of the environment that is no setting, but nearly one.
struct Misspelling: Hashable {
    let name: String
    /// What was probably meant.
    let setting: String

    /// Those in an environment, by their names.
    ///
    /// What is unlike any setting is somebody else's.
    static func all(in environment: [String: String]) -> [Misspelling] {
        let names = environment.keys.filter { $0.hasPrefix("DIALTONE_") }
        // Most often there is none, and `status --passive` comes by here.
        guard !names.isEmpty else { return [] }
        let settings = Setting.allCases.map(\.variable) + ["DIALTONE_CONFIG"]
        return names.filter { !settings.contains($0) }.sorted().compactMap { name in
            let nearest = settings.map { (setting: $0, distance: distance(name, $0)) }.min { $0.distance < $1.distance }
            guard let nearest, nearest.distance <= 2 else { return nil }
            return Misspelling(name: name, setting: nearest.setting)
        }
    }

    /// How many letters must be put in, left out or exchanged to make one text of the other (Levenshtein).
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other.utf8)
        var row = Array(0...other.count)
        for (index, letter) in one.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, second) in other.enumerated() {
                let exchanged = diagonal + (letter == second ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(exchanged, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
