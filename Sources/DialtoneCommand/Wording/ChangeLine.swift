// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// A line of `watch` and `host --watch`: the time, the state and, if it is asked for, what has changed.
enum ChangeLine {
    /// Returns the line; on a terminal without the date, and wrapped between words.
    ///
    /// - Parameter changes: what has changed; nil in the first line, and where the headline says it.
    static func text(_ headline: String, changes: String? = nil, _ style: Style) -> String {
        let width = Console.width
        let time = LocalTime.text(TimeSource.system.moment.realtime, width == nil ? .full : .milliseconds)
        var line = style.quiet(time) + "  " + headline
        if let changes { line += style.quiet("  (changed: \(changes))") }
        return line.wrapped(to: width, indent: time.count + 2)
    }
}
