// SPDX-License-Identifier: Apache-2.0

import DialtonePresentation
import DialtoneSupport

/// The common frame around the content of all pages.
struct PageShell {
    let title: String
    let machine: String
    /// How the page is kept up to date; nil if it is not.
    var refresh: Refresh?

    /// The address that a page without JavaScript loads next, and the delay.
    struct Refresh {
        let address: String
        let seconds: Int
    }

    func html(_ content: HTML, footer: HTML = "") -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/style.css">
        \(refresh.map(Self.refreshTags))
        </head>
        <body>
        <a class="skip" href="#main">Skip to the verdict</a>
        <header><p class="brand">dialtone</p><p class="machine">\(machine)</p>\
        \(refresh != nil ? "<p class=\"link\" id=\"link\" data-link=\"static\">as of \(LocalTime.element(.now))</p>" : nil)</header>
        <main id="main" tabindex="-1">\(content)</main>
        <p class="unseen" role="status" aria-live="polite" id="announcer"></p>
        <footer>\(footer)</footer>
        </body>
        </html>
        """
    }

    private static func refreshTags(_ refresh: Refresh) -> HTML {
        """
        <script src="/dashboard.js" defer></script>
        <noscript><meta http-equiv="refresh" content="\(refresh.seconds);url=\(refresh.address)"></noscript>
        """
    }
}
