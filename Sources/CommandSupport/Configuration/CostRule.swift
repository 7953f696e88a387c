// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// A rule that sets the cost of some links: `interface:NAME=COST`, `network:NAME=COST` or `type:TYPE=COST`.
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

    /// The reason why a text is not a valid rule.
    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    let subject: Subject
    let cost: Cost

    init(_ text: String) throws(Invalid) {
        guard Self.isSupported else {
            throw Invalid(description: "the settings of this operating system decide what links cost")
        }
        // The name of a Wi-Fi network may contain any character.
        guard let equals = text.lastIndex(of: "="), let colon = text[..<equals].firstIndex(of: ":") else {
            throw Invalid(description: "'\(text)' must be interface:NAME=COST, network:NAME=COST or type:TYPE=COST")
        }
        let name = String(text[text.index(after: colon)..<equals])
        switch (text[..<colon], InterfaceKind(rawValue: name)) {
        case ("interface", _) where !name.isEmpty: subject = .interface(name)
        case ("network", _) where !name.isEmpty: subject = .network(name)
        case ("type", let type?): subject = .type(type)
        case ("type", nil):
            throw Invalid(description: "'\(text)': the type must be one of \(InterfaceKind.list)")
        default: throw Invalid(description: "'\(text)' must begin with interface:, network: or type:, and a name")
        }
        guard let cost = Cost(rawValue: String(text[text.index(after: equals)...])) else {
            let all = Cost.allCases.map(\.rawValue).joined(separator: ", ")
            throw Invalid(description: "'\(text)': the cost must be one of \(all)")
        }
        self.cost = cost
    }

    private static var isSupported: Bool {
        #if canImport(Darwin)
        false
        #else
        true
        #endif
    }
}

extension Settings {
    /// Applies the rules to all paths of this process.
    package func applyCosts() {
        #if !canImport(Darwin)
        guard !costs.isEmpty else { return }
        var policy = CostPolicy.current
        for rule in costs {
            let subject: CostPolicy.Subject =
                switch rule.subject {
                case .interface(let name): .interface(name)
                case .network(let name): .wifiNetwork(name)
                case .type(let kind): .type(kind.type)
                }
            var costs = policy[subject] ?? LinkCosts()
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
