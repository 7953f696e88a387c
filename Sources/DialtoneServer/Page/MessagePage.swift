// SPDX-License-Identifier: Apache-2.0

/// A page with a single message, such as that a page was not found.
enum MessagePage {
    static func html(_ title: String, _ message: String, machine: String) -> HTML {
        PageShell(title: "\(title) · \(machine)", machine: machine).html(
            """
            <section class="hero"><h1 class="verdict">\(title)</h1><p class="since">\(message)</p>
            <p><a class="button" href="/">To the dashboard</a></p></section>
            """)
    }
}
