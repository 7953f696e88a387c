//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What links cost, by the word of the user or of a program that knows: it wins over every guess.
///
/// For each question the most particular answer counts: the interface's, then the Wi-Fi network's, then the type's. What
/// none of them answers is decided so:
///
/// - *expensive*: what NetworkManager says or guesses of the link, where it runs; else cellular is, and nothing else;
/// - *constrained* and *ultra-constrained*: no. Linux itself knows neither.
public struct CostRules: Hashable, Sendable {
    /// Which links are meant.
    public enum Subject: Hashable, Sendable {
        /// The link with this name.
        case interface(String)
        /// Links that have joined the Wi-Fi network of this name.
        case wifiNetwork(String)
        /// Links of a type.
        case type(InterfaceType)
    }

    private var costs: [Subject: LinkCosts] = [:]

    /// Makes a policy that says nothing.
    public init() {}

    /// What is said of some links; nil when nothing is.
    public subscript(subject: Subject) -> LinkCosts? {
        get { costs[subject] }
        set { costs[subject] = newValue }
    }

    /// What each subject costs.
    public var all: [Subject: LinkCosts] { costs }
}

/// What a link costs: nil is not said.
public struct LinkCosts: Hashable, Sendable {
    /// By volume, so that large transfers had better wait.
    public var isExpensive: Bool?
    /// To be used sparingly, by the user's wish.
    public var isConstrained: Bool?
    /// To be used for next to nothing, such as a satellite link.
    public var isUltraConstrained: Bool?

    /// Makes costs.
    public init(isExpensive: Bool? = nil, isConstrained: Bool? = nil, isUltraConstrained: Bool? = nil) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
    }

    /// It costs by volume.
    public static let expensive = LinkCosts(isExpensive: true)
    /// It does not cost by volume.
    public static let inexpensive = LinkCosts(isExpensive: false)
    /// It is to be used sparingly.
    public static let constrained = LinkCosts(isConstrained: true)
}

extension CostRules {
    private static let shared = Mutex(CostRules())

    /// The policy of this process, which every monitor of the kernel follows at once when it is set.
    public static var current: CostRules {
        get { shared.withLock { $0 } }
        set {
            let isNews = shared.withLock { policy in
                defer { policy = newValue }
                return policy != newValue
            }
            #if os(Linux) || os(Android)
            if isNews { KernelSource.lookAgain() }
            #endif
        }
    }

    /// Whether a link costs by volume.
    func isExpensive(_ link: NetworkInterface) -> Bool {
        answer(\.isExpensive, link) ?? link.metered.isMetered ?? (link.type == .cellular)
    }

    /// Whether a link is to be used sparingly; ultra-constrained ones are.
    func isConstrained(_ link: NetworkInterface) -> Bool {
        answer(\.isConstrained, link) ?? isUltraConstrained(link)
    }

    /// Whether a link is to be used for next to nothing.
    func isUltraConstrained(_ link: NetworkInterface) -> Bool {
        answer(\.isUltraConstrained, link) ?? false
    }

    private func answer(_ question: KeyPath<LinkCosts, Bool?>, _ link: NetworkInterface) -> Bool? {
        let subjects = [
            Subject.interface(link.name), link.wifi?.networkName.map { .wifiNetwork($0) }, .type(link.type),
        ]
        return subjects.lazy.compactMap { $0.flatMap { costs[$0] }?[keyPath: question] }.first
    }
}
