// SPDX-License-Identifier: Apache-2.0

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
