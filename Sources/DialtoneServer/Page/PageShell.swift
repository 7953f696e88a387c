// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The common frame around the content of all pages.
struct PageShell {
    let title: String
    let machine: String
    /// The severity of the state that the page shows, for its colors and its icon.
    var severity = Severity.unsure
    /// The address that a page without JavaScript loads next; nil for a page that is not kept up to date.
    var refresh: String?
    /// The time of the page, if it shows it.
    var now: Date?

    func html(_ content: HTML, footer: HTML = "") -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <link rel="icon" id="icon" href="\(severity.icon)" data-lost="\(Severity.unsure.icon)">
        <link rel="stylesheet" href="/style.css">
        \(refresh.map(Self.refreshTags))
        </head>
        <body data-severity="\(severity.rawValue)">
        <a class="skip" href="#main">Skip to the verdict</a>
        <header><p class="brand">dialtone</p><p class="machine">\(machine)</p>\
        \(now.map { "<p class=\"link\" id=\"link\" data-link=\"static\">as of \(LocalTime.element($0))</p>" as HTML })</header>
        <main id="main" tabindex="-1">\(content)</main>
        <p class="unseen" role="status" aria-live="polite" id="announcer"></p>
        <footer>\(footer)</footer>
        </body>
        </html>
        """
    }

    private static func refreshTags(_ address: String) -> HTML {
        """
        <script src="/dashboard.js" defer></script>
        <noscript><meta http-equiv="refresh" content="15;url=\(address)"></noscript>
        """
    }
}

/// The page that asks for the token.
enum LoginPage {
    static func html(machine: String, problem: String? = nil) -> HTML {
        PageShell(title: "Log in · \(machine)", machine: machine).html(
            """
            <section class="hero"><h1 class="verdict">Log in</h1>
            <p class="since">This dashboard is protected. Enter the token from the file that its server was started with.</p>
            \(problem.map { "<p class=\"notice\" role=\"alert\">\($0)</p>" as HTML })
            <form method="post" action="/login" class="login"><label for="token">Token</label>
            <div class="field"><input id="token" name="token" type="password" required autocomplete="current-password" \
            autofocus><button type="submit">Log in</button></div></form></section>
            """)
    }
}

/// A page with a single message, such as that a page was not found.
///
/// It does not name the machine: a page of another origin that resolves its own name to this address (DNS rebinding) can read it.
enum MessagePage {
    static func html(_ title: String, _ message: String) -> HTML {
        PageShell(title: "\(title) · dialtone", machine: "").html(
            """
            <section class="hero"><h1 class="verdict">\(title)</h1><p class="since">\(message)</p>
            <p><a class="button" href="/">To the dashboard</a></p></section>
            """)
    }
}
