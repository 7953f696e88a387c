// SPDX-License-Identifier: Apache-2.0

import Netlink

/// The reference lookups that are useful for some links, in groups, with the last answers.
///
/// It is kept as long as the links stay the same, so that answers that stay the same are neither built nor compared
/// again.
struct ReferenceGroups {
    /// The lookups of one family, for packets that may use any link, or must use a given one.
    struct Group {
        let family: AddressFamily
        let link: Int32?
        fileprivate(set) var answers: [RouteAnswer]
        /// For each answer, in how many seconds its route expires; nil for never.
        fileprivate var expiries: [Double?]

        fileprivate init(_ family: AddressFamily, over link: Int32? = nil) {
            self.family = family
            self.link = link
            answers = ReferenceLookups.representatives(family).map { RouteAnswer($0, .noRoute) }
            expiries = answers.map { _ in nil }
        }

        var lookups: [RouteLookup] { answers.map { RouteLookup(to: $0.destination, interface: link) } }
    }

    private let families: [AddressFamily]
    private let candidates: [Int32]
    /// One for each family; then, family by family, one for each candidate.
    private(set) var all: [Group]
    private let general: [Int]
    /// The groups that the last result contains.
    private var selected: [Int] = []
    private var isChanged = true
    private var hasExpiries = false
    private var result = RoutingAnswers()

    init(_ interfaces: [NetworkInterface]) {
        let families = ReferenceLookups.families(interfaces)
        let candidates = ReferenceLookups.candidates(interfaces)
        self.families = families
        self.candidates = candidates
        all = families.map { Group($0) } + families.flatMap { family in candidates.map { Group(family, over: $0) } }
        general = Array(families.indices)
    }

    /// Returns whether these groups are useful for other links too.
    func fits(_ interfaces: [NetworkInterface]) -> Bool {
        ReferenceLookups.families(interfaces) == families && ReferenceLookups.candidates(interfaces) == candidates
    }

    /// Sets the answer to one lookup of a group to the kernel's route.
    mutating func setAnswer(_ route: RouteMessage, _ group: Int, _ place: Int) {
        setAnswer(RouteAnswer(all[group].answers[place].destination, route), group, place)
        hasExpiries = hasExpiries || route.expires != nil
        if hasExpiries { all[group].expiries[place] = route.expires }
    }

    /// Sets the answer to one lookup of a group to the kernel's error.
    ///
    /// - Throws: see `RouteAnswer`.
    mutating func setAnswer(_ errno: Errno, _ group: Int, _ place: Int) throws(NetlinkError) {
        let lookup = RouteLookup(to: all[group].answers[place].destination, interface: all[group].link)
        setAnswer(try RouteAnswer(lookup, errno), group, place)
        if hasExpiries { all[group].expiries[place] = nil }
    }

    /// Sets the answer to one lookup of a group to that of another.
    mutating func copyAnswer(_ group: Int, from other: Int, to place: Int) {
        all[group].answers[place].outcome = all[group].answers[other].outcome
        if hasExpiries { all[group].expiries[place] = all[group].expiries[other] }
        isChanged = true
    }

    /// Sets the answer to one lookup of a group.
    mutating func setAnswer(_ answer: RouteAnswer, _ group: Int, _ place: Int) {
        guard all[group].answers[place] != answer else { return }
        all[group].answers[place] = answer
        isChanged = true
    }

    /// In how many seconds the first route of the last result expires; nil if none does.
    var earliestExpiry: Double? {
        guard hasExpiries else { return nil }
        var earliest: Double?
        for group in general + selected {
            for case let expiry? in all[group].expiries { earliest = min(earliest ?? expiry, expiry) }
        }
        return earliest
    }

    /// Runs the lookups for any link, then those for individual links.
    ///
    /// A link is skipped if all general answers of the family already lead to it.
    ///
    /// - Parameter lookUp: updates the answers of some groups.
    mutating func routing<Failure: Error>(
        lookUp: (_ groups: inout ReferenceGroups, _ selected: [Int]) throws(Failure) -> Void
    ) throws(Failure) -> RoutingAnswers {
        let wasChanged = isChanged
        isChanged = false
        try lookUp(&self, general)
        let byLink = isChanged || wasChanged ? groupsByLink() : selected
        isChanged = isChanged || wasChanged
        if !byLink.isEmpty { try lookUp(&self, byLink) }
        guard isChanged || byLink != selected else { return result }
        result = RoutingAnswers()
        for group in general { Self.append(all[group].answers, to: &result.general) }
        for group in byLink {
            guard let link = all[group].link else { continue }
            Self.append(all[group].answers, to: &result.byLink[link, default: []])
        }
        selected = byLink
        isChanged = false
        return result
    }

    /// Appends answers; the first ones are shared, not copied.
    private static func append(_ answers: [RouteAnswer], to others: inout [RouteAnswer]) {
        if others.isEmpty { others = answers } else { others += answers }
    }

    private func groupsByLink() -> [Int] {
        var groups: [Int] = []
        groups.reserveCapacity(all.count - general.count)
        for family in general {
            let only = ReferenceLookups.onlyEgress(all[family].answers, of: all[family].family)
            // The groups of each family follow one another.
            let first = general.count + family * candidates.count
            for group in first..<first + candidates.count where all[group].link != only { groups.append(group) }
        }
        return groups
    }
}
