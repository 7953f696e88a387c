// SPDX-License-Identifier: Apache-2.0

package import Netlink

/// The lookups that determine where packets to the Internet go.
///
/// They send no packets: the kernel is asked where a packet to these addresses *would* go. The addresses are ordinary
/// ones of different registries, in both halves of each family's public space, so that a route to one half is not
/// mistaken for a route to everything. Each half has two, so that a route to a single network (a company's, through a
/// tunnel) does not represent the half.
enum ReferenceLookups {
    /// Returns the reference addresses of a family: two of the lower half, then two of the upper.
    ///
    /// IPv6's public space is `2000::/3`, of which `2000::/4` is in use; its halves are those of `2000::/4`.
    static func representatives(_ family: AddressFamily) -> [NetworkAddress] {
        family == .ipv4 ? ipv4 : ipv6
    }

    static let all: [NetworkAddress] = ipv4 + ipv6

    private static let ipv4 = [
        NetworkAddress(24, 48, 0, 1), NetworkAddress(62, 115, 0, 1), NetworkAddress(177, 8, 0, 1),
        NetworkAddress(203, 104, 0, 1),
    ]
    private static let ipv6 = [
        "2403:300::1", "2607:f2c0::1", "2803:c600::1", "2a00:d40::1",
    ].compactMap(NetworkAddress.init)

    /// Returns whether an address is in the upper half of its family's public space.
    static func isUpperHalf(_ address: NetworkAddress) -> Bool {
        address.bits >> (address.version == .ipv4 ? 31 : 123) & 1 == 1
    }

    /// Returns the families to look up: those of which a link has any address but that of loopback.
    static func families(_ interfaces: [NetworkInterface]) -> [AddressFamily] {
        var hasIPv4 = false
        var hasIPv6 = false
        for place in interfaces.indices {
            for address in interfaces[place].addresses where !address.address.isLoopback {
                if address.address.version == .ipv4 { hasIPv4 = true } else { hasIPv6 = true }
            }
        }
        return hasIPv4 ? (hasIPv6 ? [.ipv4, .ipv6] : [.ipv4]) : hasIPv6 ? [.ipv6] : []
    }

    /// Returns the indices of the links over which packets are looked up, even if packets that may use any link take another one.
    ///
    /// A host has thousands of links to containers, which have no address of their own beyond the link. Of these, only those count
    /// that packets to the Internet take.
    static func candidates(_ interfaces: [NetworkInterface]) -> [Int32] {
        var candidates: [Int32] = []
        candidates.reserveCapacity(interfaces.count)
        for place in interfaces.indices where isCandidate(place, of: interfaces) {
            let leadsToContainer =
                interfaces[place].linkKind == "veth"
                && !interfaces[place].addresses.contains(where: \.mayReachBeyondLink)
            if !leadsToContainer { candidates.append(interfaces[place].index) }
        }
        return candidates
    }

    /// Returns whether the link at a place could carry packets.
    @inline(__always) static func isCandidate(_ place: Int, of interfaces: [NetworkInterface]) -> Bool {
        interfaces[place].flags.contains(.up) && !interfaces.isLoopback(at: place) && !interfaces.isEnslaved(at: place)
    }

    /// Returns the link that all answers of a family lead to, if there is exactly one.
    static func onlyEgress(_ answers: [RouteAnswer], of family: AddressFamily) -> Int32? {
        var only: Int32?
        for place in answers.indices where answers[place].destination.family == family {
            guard case .route(let route) = answers[place].outcome, route.nextHops.count == 1,
                let interface = route.nextHops.first?.interface, only == nil || only == interface
            else { return nil }
            only = interface
        }
        return only
    }
}

extension RoutingAnswers {
    /// Runs the lookups that are useful for these links.
    ///
    /// - Parameter lookUp: returns an answer to each lookup, in order.
    package init<Failure: Error>(
        _ interfaces: [NetworkInterface], lookUp: ([RouteLookup]) throws(Failure) -> [RouteAnswer]
    ) throws(Failure) {
        var groups = ReferenceGroups(interfaces)
        self = try groups.routing { (groups, selected) throws(Failure) in
            for group in selected {
                for (place, answer) in try lookUp(groups.all[group].lookups).enumerated() {
                    groups.setAnswer(answer, group, place)
                }
            }
        }
    }
}

/// The reference lookups that are useful for some links, in groups, with the last answers.
///
/// It is kept as long as the links stay the same, so that answers that stay the same are not built again.
struct ReferenceGroups {
    /// The lookups of one family, for packets that may use any link, or must use a given one.
    struct Group {
        let family: AddressFamily
        let link: Int32?
        fileprivate(set) var answers: [RouteAnswer]
        /// For each answer, in how many seconds its route expires; nil for never.
        fileprivate var expiries: [Double?]
        /// The answers for the source addresses that the kernel chose, by place; they replace the others.
        fileprivate var sourced: [Int: (answer: RouteAnswer, expiry: Double?)] = [:]

        fileprivate init(_ family: AddressFamily, over link: Int32? = nil) {
            self.family = family
            self.link = link
            answers = ReferenceLookups.representatives(family).map { RouteAnswer($0, .noRoute) }
            expiries = answers.map { _ in nil }
        }

        /// The answers for the packets of an unbound socket.
        var effectiveAnswers: [RouteAnswer] {
            if sourced.isEmpty { return answers }
            return answers.indices.map { sourced[$0]?.answer ?? answers[$0] }
        }

        var lookups: [RouteLookup] { answers.indices.map(lookup) }

        func lookup(_ place: Int) -> RouteLookup { RouteLookup(to: answers[place].destination, interface: link) }
    }

    private let families: [AddressFamily]
    private let candidates: [Int32]
    /// One for each family; then, family by family, one for each candidate.
    private(set) var all: [Group]
    private let general: [Int]
    /// The groups that the last result contains; nil if there is no result yet.
    private var selected: [Int]?
    private var hasExpiries = false

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
    mutating func setAnswer(_ errno: NetlinkError.Errno, _ group: Int, _ place: Int) throws(NetlinkError) {
        setAnswer(try RouteAnswer(all[group].lookup(place), errno), group, place)
        if hasExpiries { all[group].expiries[place] = nil }
    }

    /// Sets the answer to one lookup of a group to that of another.
    mutating func copyAnswer(_ group: Int, from other: Int, to place: Int) {
        all[group].answers[place].outcome = all[group].answers[other].outcome
        if hasExpiries { all[group].expiries[place] = all[group].expiries[other] }
    }

    /// Sets the answer to one lookup of a group.
    mutating func setAnswer(_ answer: RouteAnswer, _ group: Int, _ place: Int) {
        all[group].answers[place] = answer
    }

    /// Sets the answer to one lookup of a group for the source address that the kernel chose; nil if it was not asked.
    mutating func setSourcedAnswer(
        _ answer: RouteAnswer?, expiringIn seconds: Double? = nil, _ group: Int, _ place: Int
    ) {
        all[group].sourced[place] = answer.map { ($0, seconds) }
        hasExpiries = hasExpiries || seconds != nil
    }

    /// Returns whether any answer of a group was replaced by one for a chosen source address.
    func hasSourcedAnswers(in group: Int) -> Bool { !all[group].sourced.isEmpty }

    /// Whether packets of a family that may use any link take a route that only some sources have.
    func hasSourcedAnswers(_ family: AddressFamily) -> Bool {
        general.contains { all[$0].family == family && !all[$0].sourced.isEmpty }
    }

    /// In how many seconds the first route of the last result expires; nil if none does.
    var earliestExpiry: Double? {
        guard hasExpiries else { return nil }
        var earliest: Double?
        for group in general + (selected ?? []) {
            for case let expiry? in all[group].expiries { earliest = min(earliest ?? expiry, expiry) }
            for case let expiry? in all[group].sourced.values.map(\.expiry) {
                earliest = min(earliest ?? expiry, expiry)
            }
        }
        return earliest
    }

    /// Runs the lookups for any link, then those for individual links.
    ///
    /// A link is skipped if all general answers of the family already lead to it.
    ///
    /// - Parameters:
    ///   - family: the only family whose routes may have changed; nil for both.
    ///   - lookUp: updates the answers of some groups.
    mutating func routing<Failure: Error>(
        of family: AddressFamily? = nil,
        lookUp: (_ groups: inout ReferenceGroups, _ selected: [Int]) throws(Failure) -> Void
    ) throws(Failure) -> RoutingAnswers {
        // How long a route is still valid is known only when its answer arrives.
        let family = selected == nil || hasExpiries ? nil : family
        try lookUp(&self, select(general, of: family))
        let byLink = groupsByLink()
        let repeated = select(byLink, of: family)
        if !repeated.isEmpty { try lookUp(&self, repeated) }
        var result = RoutingAnswers()
        for group in general { Self.append(all[group].effectiveAnswers, to: &result.general) }
        for group in byLink {
            guard let link = all[group].link else { continue }
            Self.append(all[group].effectiveAnswers, to: &result.byLink[link, default: []])
        }
        selected = byLink
        return result
    }

    private func select(_ groups: [Int], of family: AddressFamily?) -> [Int] {
        guard let family else { return groups }
        return groups.filter { all[$0].family == family }
    }

    /// Appends answers; the first ones are shared, not copied.
    private static func append(_ answers: [RouteAnswer], to others: inout [RouteAnswer]) {
        if others.isEmpty { others = answers } else { others += answers }
    }

    private func groupsByLink() -> [Int] {
        var groups: [Int] = []
        groups.reserveCapacity(all.count - general.count)
        for family in general {
            let only = ReferenceLookups.onlyEgress(all[family].effectiveAnswers, of: all[family].family)
            // The groups of each family follow one another.
            let first = general.count + family * candidates.count
            for group in first..<first + candidates.count where all[group].link != only { groups.append(group) }
        }
        return groups
    }
}
