// SPDX-License-Identifier: Apache-2.0

import DialtonePresentation
import DialtoneSupport

extension LocalTime {
    /// Returns an element with the server's time, which a browser with JavaScript replaces with its own local time.
    ///
    /// - Parameter style: the parts of the time to show.
    static func element(_ date: Date, _ style: Style = .clock) -> HTML {
        "<time datetime=\"\(ISOTime.iso(date))\" data-style=\"\(style.rawValue)\">\(text(date, style))</time>"
    }
}
