// SPDX-License-Identifier: Apache-2.0

/// Finds the name that the user probably meant.
enum Spelling {
    /// The name closest to a text, with at most two letters inserted or removed; nil if none is that close.
    static func nearest(to text: String, in names: [String]) -> String? {
        let changes = names.map { (name: $0, letters: $0.difference(from: text).count) }
        return changes.filter { $0.letters <= min(2, text.count - 1) }.min { $0.letters < $1.letters }?.name
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
}
