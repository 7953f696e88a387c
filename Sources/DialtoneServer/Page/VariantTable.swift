// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// The state of the real network as each class of the libraries reports it, one row for each.
enum VariantTable {
    static func html(_ rows: [VariantRow]) -> HTML {
        let rows: [HTML] = rows.map {
            "<tr><th scope=\"row\">\($0.name)</th><td class=\"wrap\">\($0.value ?? "waiting")</td></tr>"
        }
        return """
            <table><thead><tr><th scope="col">Class</th><th scope="col">Value</th></tr></thead>\
            <tbody>\(rows)</tbody></table>
            """
    }
}

/// The value of one way to watch the network; nil before the first.
struct VariantRow: Equatable, Sendable {
    var name: String
    var value: String?
}
