// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone

/// Decides which of a monitor's values are lines of `watch`.
struct WatchLines {
    /// A line of the output for a value.
    enum Line: Hashable {
        /// A check decides what the network is worth: a line that the next one replaces.
        case pending(String)
        /// A state, and what has changed.
        case change(String, changes: String?)
    }

    let isPassive: Bool
    /// Whether each value has a line, with what has changed.
    let isVerbose: Bool
    let style: Style
    private(set) var last: String?

    /// Returns what the next value shows; nil if it looks like the one before.
    mutating func next(_ connectivity: Connectivity) -> Line? {
        if !isVerbose, !isPassive, connectivity.state == .unverified, connectivity.evidence == nil {
            return .pending(Printable.text("checking \(connectivity.path.link) …"))
        }
        let headline = CheckDescription.headline(connectivity, isPassive: isPassive)
        let line = style.state(PathDescription.line(headline, connectivity, isPassive: isPassive), connectivity.state)
        defer { last = line }
        guard isVerbose else { return line == last ? nil : .change(line, changes: nil) }
        let changes = last == nil ? nil : PathDescription.changes(connectivity.changes.map(\.rawValue))
        return .change(line, changes: changes)
    }
}
