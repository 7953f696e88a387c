// SPDX-License-Identifier: Apache-2.0

import DialtoneServer

/// The switch that simulates networks instead of showing the real one.
enum DemoSection {
    static func html(_ scene: DemoScene?) -> HTML {
        let buttons: [HTML] = DemoScene.allCases.map { button($0.rawValue, $0.title, isPressed: $0 == scene) }
        return """
            <section class="demo" aria-labelledby="demo-title"><h2 id="demo-title">Demonstration</h2>
            <p class="small">Simulates a network in any state, with a generated history. Nothing simulated is recorded.</p>
            <form method="post" action="/simulate" id="scenes">\
            \(button("", "The real network", isPressed: scene == nil))\(buttons)</form></section>
            """
    }

    /// The notice that the page shows a simulation; empty for the real network.
    static func banner(_ scene: DemoScene?) -> HTML {
        guard let scene else { return "" }
        return """
            <p class="banner"><strong>Simulation: \(scene.title).</strong> This is not the real network.</p>
            """
    }

    private static func button(_ value: String, _ title: String, isPressed: Bool) -> HTML {
        """
        <button type="submit" name="scene" value="\(value)" class="chip" \
        aria-pressed="\(isPressed ? "true" : "false")">\(title)</button>
        """
    }
}
