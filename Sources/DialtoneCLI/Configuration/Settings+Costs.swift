//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

extension Settings {
    /// One thing said of some links: `interface:NAME=COST`, `network:NAME=COST` or `type:TYPE=COST`.
    struct CostRule: Hashable {
        enum Subject: Hashable {
            case interface(String)
            case network(String)
            case type(InterfaceKind)
        }

        enum Cost: String, CaseIterable {
            case expensive, inexpensive, constrained, unconstrained
            case ultraConstrained = "ultra-constrained"
        }

        let subject: Subject
        let cost: Cost

        init(_ text: String, _ origin: SettingsError.Origin) throws(SettingsError) {
            // The name of a Wi-Fi network may have any character in it.
            guard let equals = text.lastIndex(of: "="), let colon = text[..<equals].firstIndex(of: ":") else {
                throw SettingsError(
                    origin, "\"\(text)\" is not interface:NAME=COST, network:NAME=COST or type:TYPE=COST")
            }
            guard let cost = Cost(rawValue: String(text[text.index(after: equals)...])) else {
                let all = Cost.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError(origin, "\"\(text)\" does not end with one of \(all)")
            }
            let name = String(text[text.index(after: colon)..<equals])
            let kind = String(text[..<colon])
            self.cost = cost
            switch (kind, InterfaceKind(rawValue: name)) {
            case ("interface", _) where !name.isEmpty: subject = .interface(name)
            case ("network", _) where !name.isEmpty: subject = .network(name)
            case ("type", let type?): subject = .type(type)
            case ("type", nil):
                let all = InterfaceKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError(origin, "\"\(name)\" is no type of interface; there are \(all)")
            default: throw SettingsError(origin, "\"\(text)\" does not begin with interface:, network: or type:")
            }
        }
    }

    func costRules() throws(SettingsError) -> [CostRule] {
        guard let costs else { return [] }
        return try costs.value.map { text throws(SettingsError) in try CostRule(text, costs.origin) }
    }

    func validateCosts() throws(SettingsError) {
        let rules = try costRules()
        #if canImport(Darwin)
        if let costs, !rules.isEmpty {
            throw SettingsError(costs.origin, "on this system its own settings say what links cost")
        }
        #endif
    }

    /// Makes the paths of this process follow the rules.
    func applyCosts() throws(SettingsError) {
        #if !canImport(Darwin)
        let rules = try costRules()
        guard !rules.isEmpty else { return }
        var policy = CostPolicy.current
        for rule in rules {
            let subject: CostPolicy.Subject =
                switch rule.subject {
                case .interface(let name): .interface(name)
                case .network(let name): .wifiNetwork(name)
                case .type(let kind): .type(kind.type)
                }
            var costs = policy[subject] ?? Costs()
            switch rule.cost {
            case .expensive: costs.isExpensive = true
            case .inexpensive: costs.isExpensive = false
            case .constrained: costs.isConstrained = true
            case .unconstrained: costs.isConstrained = false
            case .ultraConstrained: costs.isUltraConstrained = true
            }
            policy[subject] = costs
        }
        CostPolicy.current = policy
        #endif
    }
}
