// SPDX-License-Identifier: Apache-2.0

import DialtoneServer

/// The network as each class of the libraries reports it, one row for each.
enum ClassesSection {
    static func html(_ rows: [VariantRow], of scene: DemoScene?) -> HTML {
        let groups = Variant.Group.allCases.map { group in (group, rows.filter { $0.variant.group == group }) }
        let network = scene.map { "the simulated network: \($0.title)" } ?? "the real network"
        return """
            <p class="small">What each class reports of \(network).</p>
            <table class="classes"><thead><tr><th scope="col">Class</th><th scope="col">Value</th></tr></thead>\
            \(groups.filter { !$0.1.isEmpty }.map(body))</table>
            \(legend)
            """
    }

    private static func body(_ group: Variant.Group, _ rows: [VariantRow]) -> HTML {
        let rows: [HTML] = rows.map {
            "<tr><th scope=\"row\">\($0.variant.rawValue)</th><td class=\"wrap\">\($0.value ?? "waiting")</td></tr>"
        }
        return """
            <tbody><tr><th scope="rowgroup" colspan="2">\(group.rawValue) <small class="mono">\(group.module)</small></th></tr>\
            \(rows)</tbody>
            """
    }

    /// The legend of the flag letters.
    private static let legend: HTML = """
        <details class="legend"><summary>What the letters mean</summary><dl>\
        \(FlagText.letters.map { "<div><dt><code>\(String($0.letter))</code></dt><dd>\($0.meaning)</dd></div>" as HTML })\
        </dl></details>
        """
}
