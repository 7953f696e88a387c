// SPDX-License-Identifier: Apache-2.0

/// The style sheet of the page.
enum StyleSheet {
    /// The whole style sheet: the foundation first, then the parts.
    static let text = [foundation, parts, timeline].joined(separator: "\n")

    /// Colors, type and common elements.
    ///
    /// There is one accent color, for the online state and for controls. Contrast meets WCAG 2.2 AA in both color
    /// schemes.
    private static let foundation = """
        :root {
          color-scheme: light dark;
          --paper: #fbfaf6; --card: #ffffff; --ink: #1d1b18; --soft: #5d5850; --line: #dfdad0;
          --accent: #0a6b55; --on-accent: #ffffff; --wash: #e4f0ea; --bad: #1d1b18; --hatch: #8a8378;
          --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
          --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #151412; --card: #1d1c19; --ink: #f1eee7; --soft: #aaa398; --line: #35322d;
            --accent: #63cfae; --on-accent: #10211b; --wash: #1c2b26; --bad: #f1eee7; --hatch: #8a8378;
          }
        }
        * { box-sizing: border-box; }
        html { font-size: 100%; -webkit-text-size-adjust: 100%; }
        body {
          margin: 0 auto; padding: 1.25rem clamp(1rem, 4vw, 3rem) 3rem; max-width: 76rem;
          background: var(--paper); color: var(--ink);
          font: 400 1rem/1.5 var(--sans); font-feature-settings: "tnum" 1; overflow-wrap: break-word;
        }
        h1, h2, h3, p, ul, dl, dd, table { margin: 0; padding: 0; }
        ul { list-style: none; }
        h2 { font-size: 1.125rem; font-weight: 600; letter-spacing: -0.01em; margin-bottom: 1rem; }
        h3 { font-size: .875rem; font-weight: 500; color: var(--soft); margin-bottom: .5rem; }
        a { color: var(--accent); text-underline-offset: .2em; }
        code, .mono { font-family: var(--mono); font-size: .875em; }
        .wrap { overflow-wrap: anywhere; }
        .small { font-size: .875rem; color: var(--soft); }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        summary:focus-visible, footer a:focus-visible { border-radius: 4px; }
        main:focus { outline: none; }
        button, .button {
          display: inline-block; font: inherit; font-weight: 600; cursor: pointer; text-decoration: none;
          color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
          border-radius: .5rem; padding: .5rem 1rem; min-height: 2.75rem; line-height: 1.6;
        }
        button:hover, .button:hover { filter: brightness(1.08); }
        button.plain { color: var(--accent); background: transparent; border-color: var(--line); font-weight: 500; }
        button.plain:hover { background: var(--wash); filter: none; }
        button[hidden] { display: none; }
        input {
          font: inherit; color: inherit; background: var(--card); border: 1px solid var(--hatch); border-radius: .5rem;
          padding: .5rem .75rem; min-height: 2.75rem; min-width: 0; flex: 1 1 12rem;
        }
        label { display: block; font-size: .875rem; color: var(--soft); margin-bottom: .25rem; }
        .field { display: flex; flex-wrap: wrap; gap: .5rem; }
        details { margin-top: .75rem; }
        summary { cursor: pointer; font-size: .875rem; color: var(--accent); padding: .25rem 0; }
        table { border-collapse: collapse; width: 100%; font-size: .875rem; }
        th, td { text-align: left; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        th { font-weight: 500; color: var(--soft); }
        .number { text-align: right; white-space: nowrap; }
        @media (prefers-reduced-motion: no-preference) { button, a { transition: background-color .15s, filter .15s; } }
        @media print { .demo, form, footer { display: none; } }
        """

    /// The header, the verdict and the cards.
    private static let parts = """
        header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin-bottom: 2rem; }
        .brand { font-weight: 700; letter-spacing: -0.02em; }
        .machine { color: var(--soft); }
        .link { margin-left: auto; font-size: .875rem; color: var(--soft); }
        .link::before { content: "○ "; } .link[data-link="live"]::before { content: "● "; color: var(--accent); }
        .notice { border: 1px solid var(--line); border-left: 4px solid var(--ink); background: var(--card); font-weight: 500; padding: .75rem 1rem; margin-bottom: 1.5rem; }
        section { margin-bottom: 3rem; }
        .hero { max-width: 56rem; }
        .tone { display: block; max-width: 100%; height: auto; margin: 0 0 .75rem; }
        .tone path { fill: none; stroke: var(--ink); stroke-width: 2.5; stroke-linecap: round; }
        .tone.alive path { stroke: var(--accent); } .tone.unsure path { stroke: var(--soft); stroke-dasharray: 2 8; }
        .verdict { font-size: clamp(3.25rem, 11vw, 6.5rem); font-weight: 650; line-height: 1; letter-spacing: -0.045em; text-wrap: balance; }
        .since { margin-top: 1rem; font-size: clamp(1.05rem, 2.4vw, 1.375rem); color: var(--soft); }
        .since strong { font-weight: 600; color: var(--ink); }
        .reason { margin-top: .75rem; font-size: clamp(1.05rem, 2.4vw, 1.375rem); max-width: 44rem; text-wrap: pretty; }
        .reason + p { margin-top: 1rem; }
        .facts { display: flex; flex-wrap: wrap; gap: .375rem 1.25rem; margin-top: 1rem; font-size: .9375rem; color: var(--soft); }
        .facts li { white-space: nowrap; }
        .login { margin-top: 1.5rem; max-width: 30rem; }
        .grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16.5rem), 1fr)); align-items: stretch; }
        article { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; min-width: 0; }
        .status { font-size: 1.25rem; font-weight: 600; letter-spacing: -0.015em; line-height: 1.3; }
        .status::before { display: inline-block; width: 1.3em; font-weight: 700; }
        .status.good::before { content: "✓"; color: var(--accent); }
        .status.bad::before { content: "✕"; }
        .status.unsure::before { content: "?"; color: var(--soft); }
        .detail { margin-top: .375rem; color: var(--soft); }
        .part > .small, .part ul.small { margin-top: .5rem; }
        article form { margin-top: 1rem; }
        article form button { margin: 0 .375rem .375rem 0; }
        article form + .small { margin-top: .25rem; }
        .hosts li { padding: .375rem 0; border-bottom: 1px solid var(--line); }
        .hosts li:last-child { border-bottom: 0; }
        .hosts .host { font-weight: 600; } .hosts .small { display: block; }
        .flags { white-space: pre; margin-left: .25rem; }
        .host-form .field button { margin: 0; }
        .legend dl { font-size: .875rem; color: var(--soft); }
        .legend div { display: flex; gap: .75rem; } .legend dt { width: 1.5rem; color: var(--ink); }
        .demo { border: 1px dashed var(--hatch); border-radius: .75rem; padding: 1rem 1.25rem; margin-bottom: 2rem; }
        .demo h2 { margin-bottom: .25rem; font-size: 1rem; }
        .demo form { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
        .chip { background: transparent; color: var(--ink); border-color: var(--line); font-weight: 500; font-size: .875rem; padding: .25rem .875rem; border-radius: 2rem; }
        .chip:hover { background: var(--wash); filter: none; }
        .chip[aria-pressed="true"] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; }
        footer { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .875rem; }
        footer:empty { display: none; }
        footer nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
        footer a { padding: .5rem 0; }
        """

    /// The timeline drawing.
    ///
    /// States differ in height and texture, so that they can be distinguished without color: online is a thin line, an
    /// outage is tall and solid.
    private static let timeline = """
        .windows { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem; }
        .windows a { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 2rem; text-decoration: none; font-size: .875rem; min-height: 2.75rem; line-height: 1.6; }
        .windows a:hover { background: var(--wash); }
        .windows a[aria-current] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; }
        .timeline { display: block; width: 100%; height: 7rem; overflow: visible; }
        .timeline text { font-size: .75rem; fill: var(--soft); font-family: var(--sans); }
        .timeline .axis, .timeline .tick, .spark .axis { stroke: var(--line); }
        .s-online { fill: var(--accent); }
        .s-offline, .s-requiresConnection { fill: var(--bad); stroke: var(--bad); stroke-width: 1; }
        .s-captivePortal { fill: url(#p-portal); stroke: var(--ink); stroke-width: 1; }
        .s-limited { fill: url(#p-limited); stroke: var(--ink); stroke-width: 1; }
        .s-unverified, .s-unknown { fill: url(#p-unsure); }
        .s-asleep { fill: url(#p-asleep); }
        .s-notWatching { fill: none; stroke: var(--hatch); stroke-width: 1; stroke-dasharray: 2 3; }
        .p-ink { stroke: var(--ink); stroke-width: 2; } .p-dot { fill: var(--ink); }
        .p-soft { stroke: var(--hatch); }
        .timeline .pointed { stroke: var(--accent); stroke-width: 3; }
        .readout { min-height: 1.5rem; font-size: .875rem; color: var(--soft); margin-top: .25rem; }
        .keys { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; color: var(--soft); margin-top: .5rem; }
        .keys li { display: flex; align-items: center; gap: .5rem; } .keys svg { display: block; }
        .figures { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); margin: 2rem 0 1rem; }
        .figures dt { font-size: .875rem; color: var(--soft); }
        .figures dd { font-size: 1.75rem; font-weight: 600; letter-spacing: -0.02em; line-height: 1.2; }
        .figures dd span { display: block; font-size: .875rem; font-weight: 400; letter-spacing: 0; color: var(--soft); line-height: 1.5; }
        .spark { display: block; width: 100%; height: 3.5rem; } .spark path { vector-effect: non-scaling-stroke; } .spark polygon { fill: var(--wash); }
        .spark polyline { fill: none; stroke: var(--accent); stroke-width: 1.75; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
        .scroll { overflow-x: auto; }
        """
}
