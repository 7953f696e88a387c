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
        let settings = Setting.allCases.map(\.variable) + ["DIALTONE_CONFIG"]
        return environment.keys.sorted().compactMap { name in
            guard name.hasPrefix("DIALTONE_"), !settings.contains(name) else { return nil }
            let nearest = settings.min { distance(name, $0) < distance(name, $1) }
            guard let nearest, distance(name, nearest) <= 2 else { return nil }
            return Misspelling(name: name, setting: nearest)
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
