//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What all pages have around their content.
struct PageShell {
    let title: String
    let machine: String
    /// Whether the page keeps itself fresh.
    var isLive = true

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
        \(isLive ? "<script src=\"/dashboard.js\" defer></script>\n<noscript><meta http-equiv=\"refresh\" content=\"15\"></noscript>" : nil)
        </head>
        <body>
        <a class="skip" href="#main">Skip to the verdict</a>
        <header><p class="brand">dialtone</p><p class="machine">\(machine)</p>\
        \(isLive ? "<p class=\"link\" id=\"link\" data-link=\"static\">as of loading</p>" : nil)</header>
        <main id="main" tabindex="-1">\(content)</main>
        <p class="unseen" role="status" aria-live="polite" id="announcer"></p>
        <footer>\(footer)</footer>
        </body>
        </html>
        """
    }
}
