// SPDX-License-Identifier: Apache-2.0

/// The cost of a link.
///
/// A nil property means that nothing is configured.
public struct LinkCosts: Hashable, Sendable {
    /// Traffic is charged by volume, so large transfers should wait.
    public var isExpensive: Bool?
    /// The user wants the link to be used sparingly.
    public var isConstrained: Bool?
    /// The link should carry hardly any data, such as a satellite link.
    ///
    /// It is also constrained, unless that is set to false.
    public var isUltraConstrained: Bool?

    /// Creates costs; nil leaves a property to the less specific entries.
    public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, isUltraConstrained: Bool? = nil) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
    }

    /// Traffic is charged by volume.
    public static let expensive = LinkCosts(isExpensive: true)
    /// Traffic is not charged by volume.
    public static let inexpensive = LinkCosts(isExpensive: false)
    /// The link should be used sparingly.
    public static let constrained = LinkCosts(isConstrained: true)
}

/// The costs of links, as configured by the user or the program: they take precedence over every guess.
///
/// ```swift
/// CostPolicy.current[.interface("eth1")] = .expensive
/// CostPolicy.current[.wifiNetwork("Train")] = LinkCosts(isExpensive: false, isConstrained: true)
/// CostPolicy.current[.type(.cellular)] = .inexpensive
/// ```
///
/// The most specific entry decides each property: the interface's, then the Wi-Fi network's, then the type's. Without
/// an entry:
///
/// - *expensive* is what NetworkManager reports or guesses for the link, if it runs ("yes" and "guess: yes" are
///   expensive, "no" and "guess: no" are not); otherwise only cellular is expensive;
/// - *constrained* and *ultra-constrained* are false. Linux itself knows neither.
///
/// A tunnel has its own costs and those of the link that carries it. On Apple platforms the system's settings decide
/// and this type has no effect.
public struct CostPolicy: Hashable, Sendable {
    /// The links that an entry applies to.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Subject: Hashable, Sendable {
        /// The interface with this name.
        case interface(String)
        /// Interfaces that have joined the Wi-Fi network of this name.
        case wifiNetwork(String)
        /// Interfaces of a type.
        case type(NetworkPath.InterfaceType)
    }

    private var costs: [Subject: LinkCosts] = [:]

    /// Creates an empty policy.
    public init() {}

    /// The costs configured for some links; nil when there is no entry.
    public subscript(subject: Subject) -> LinkCosts? {
        get { costs[subject] }
        set { costs[subject] = newValue }
    }

    /// Whether there is no entry.
    public var isEmpty: Bool { costs.isEmpty }

    /// Returns a property of a link from the most specific entry that has it.
    public func cost(
        _ property: KeyPath<LinkCosts, Bool?>, ofInterface name: String, wifiNetwork: String?,
        type: NetworkPath.InterfaceType
    ) -> Bool? {
        if costs.isEmpty { return nil }
        return costs[.interface(name)]?[keyPath: property]
            ?? wifiNetwork.flatMap { costs[.wifiNetwork($0)]?[keyPath: property] }
            ?? costs[.type(type)]?[keyPath: property]
    }
}
