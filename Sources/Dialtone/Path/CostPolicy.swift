//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import NetworkState

/// What links cost, by the word of the user or of a program that knows: it wins over every guess.
///
/// ```swift
/// CostPolicy.current[.interface("eth1")] = .expensive
/// CostPolicy.current[.wifiNetwork("Train")] = Costs(isExpensive: false, isConstrained: true)
/// CostPolicy.current[.type(.cellular)] = .inexpensive
/// ```
///
/// For each question the most particular answer counts: the interface's, then the Wi-Fi network's, then the type's. What
/// none of them answers is decided so:
///
/// - *expensive*: what NetworkManager says or guesses of the link, where it runs (yes and "guess: yes" are, no and "guess: no"
///   are not); else cellular is, and nothing else;
/// - *constrained* and *ultra-constrained*: no. Linux itself knows neither.
///
/// A tunnel costs what it costs itself, or what carries it. On Apple platforms the system's settings decide; there is no such
/// type there.
public struct CostPolicy: Hashable, Sendable {
    /// Which links are meant.
    public enum Subject: Hashable, Sendable {
        /// The interface with this name.
        case interface(String)
        /// Interfaces that have joined the Wi-Fi network of this name.
        case wifiNetwork(String)
        /// Interfaces of a type.
        case type(NWInterface.InterfaceType)
    }

    private var costs: [Subject: Costs] = [:]

    /// Makes a policy that says nothing.
    public init() {}

    /// What is said of some links; nil when nothing is.
    public subscript(subject: Subject) -> Costs? {
        get { costs[subject] }
        set { costs[subject] = newValue }
    }

    /// The policy of this process, which every path follows at once when it is set.
    ///
    /// To set several rules with one update, take it, change it, and set it.
    public static var current: CostPolicy {
        get { CostPolicy(CostRules.current) }
        set { CostRules.current = newValue.rules }
    }
}

/// What a link costs: nil is not said.
public struct Costs: Hashable, Sendable {
    /// By volume, so that large transfers had better wait.
    public var isExpensive: Bool?
    /// To be used sparingly, by the user's wish.
    public var isConstrained: Bool?
    /// To be used for next to nothing, such as a satellite link; constrained, too, unless that is said to be false.
    public var isUltraConstrained: Bool?

    /// Makes costs.
    public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, isUltraConstrained: Bool? = nil) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
    }

    /// It costs by volume.
    public static let expensive = Costs(isExpensive: true)
    /// It does not cost by volume.
    public static let inexpensive = Costs(isExpensive: false)
    /// It is to be used sparingly.
    public static let constrained = Costs(isConstrained: true)
}

extension CostPolicy {
    fileprivate init(_ rules: CostRules) {
        for (subject, costs) in rules.all {
            self[Subject(subject)] = Costs(
                isExpensive: costs.isExpensive, isConstrained: costs.isConstrained,
                isUltraConstrained: costs.isUltraConstrained)
        }
    }

    fileprivate var rules: CostRules {
        var rules = CostRules()
        for (subject, costs) in costs {
            rules[CostRules.Subject(subject)] = LinkCosts(
                isExpensive: costs.isExpensive, isConstrained: costs.isConstrained,
                isUltraConstrained: costs.isUltraConstrained)
        }
        return rules
    }
}

extension CostPolicy.Subject {
    fileprivate init(_ subject: CostRules.Subject) {
        switch subject {
        case .interface(let name): self = .interface(name)
        case .wifiNetwork(let name): self = .wifiNetwork(name)
        case .type(let type): self = .type(NWInterface.InterfaceType(type))
        }
    }
}

extension CostRules.Subject {
    fileprivate init(_ subject: CostPolicy.Subject) {
        switch subject {
        case .interface(let name): self = .interface(name)
        case .wifiNetwork(let name): self = .wifiNetwork(name)
        case .type(let type): self = .type(InterfaceType(type))
        }
    }
}
#endif
