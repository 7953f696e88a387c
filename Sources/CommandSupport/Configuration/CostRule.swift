// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension CostPolicy {
    /// The reason why a text is not a valid rule.
    struct InvalidRule: Error, CustomStringConvertible {
        let description: String
    }

    /// Adds a rule that sets the cost of some links: `interface:NAME=COST`, `network:NAME=COST` or `type:TYPE=COST`.
    mutating func add(_ rule: String) throws(InvalidRule) {
        #if canImport(Darwin)
        throw InvalidRule(description: "the settings of this operating system decide what links cost")
        #else
        // The name of a Wi-Fi network may contain any character.
        guard let equals = rule.lastIndex(of: "="), let colon = rule[..<equals].firstIndex(of: ":") else {
            throw InvalidRule(description: "'\(rule)' must be interface:NAME=COST, network:NAME=COST or type:TYPE=COST")
        }
        let name = String(rule[rule.index(after: colon)..<equals])
        let subject: Subject
        switch (rule[..<colon], InterfaceKind(rawValue: name)) {
        case ("interface", _) where !name.isEmpty: subject = .interface(name)
        case ("network", _) where !name.isEmpty: subject = .wifiNetwork(name)
        case ("type", let kind?): subject = .type(kind.type)
        case ("type", nil): throw InvalidRule(description: "'\(rule)': the type must be one of \(InterfaceKind.list)")
        default: throw InvalidRule(description: "'\(rule)' must begin with interface:, network: or type:, and a name")
        }
        var costs = self[subject] ?? LinkCosts()
        switch rule[rule.index(after: equals)...] {
        case "expensive": costs.isExpensive = true
        case "inexpensive": costs.isExpensive = false
        case "constrained": costs.isConstrained = true
        case "unconstrained": costs.isConstrained = false
        case "ultra-constrained": costs.isUltraConstrained = true
        default:
            throw InvalidRule(
                description: """
                    '\(rule)': the cost must be one of expensive, inexpensive, constrained, unconstrained, \
                    ultra-constrained
                    """)
        }
        self[subject] = costs
        #endif
    }
}

extension Settings {
    /// Applies the costs of links to all paths of this process.
    package func applyCosts() {
        #if !canImport(Darwin)
        if !costs.isEmpty { CostPolicy.current = costs }
        #endif
    }
}
