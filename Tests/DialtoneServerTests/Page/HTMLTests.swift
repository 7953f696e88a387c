// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneServer

struct HTMLTests {
    @Test func `interpolated text is always escaped`() {
        let name = "<script>alert('x')</script>&\"\u{202E}\u{1B}[2J"
        let html: HTML = "<b title=\"\(name)\">\(name)</b>"
        #expect(
            html.description.hasPrefix(
                "<b title=\"&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\u{FFFD}\u{FFFD}[2J\">"))
        #expect(html.description.components(separatedBy: "<").count == 3)
    }
}
