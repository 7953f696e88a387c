// SPDX-License-Identifier: Apache-2.0

/// One row of the table by which an outage is explained from its phases.
///
/// A condition reads facts and calls no other rule.
struct OutageRule: Sendable {
    /// How it is recognized.
    let sign: String
    /// Whether it holds, if no earlier rule does.
    let condition: @Sendable (OutageFacts) -> Bool
    /// The state, the cause and the side of the outage.
    let record: @Sendable (OutageFacts) -> StateRecord

    /// Returns the record of an outage with these phases.
    static func record(of facts: OutageFacts) -> StateRecord {
        all.first { $0.condition(facts) }?.record(facts) ?? StateRecord(.offline)
    }

    /// The ordered table: the first rule that holds gives the explanation.
    static let all: [OutageRule] = [
        OutageRule(
            sign: "The router was silent, then it answered, and 5 minutes later nothing beyond it did.",
            condition: { $0.restart.map { $0.uplink >= OutageFacts.longestRestart } ?? false }
        ) { facts in facts.longest(in: facts.restart?.after ?? facts.phases) },
        OutageRule(
            sign:
                "The router was silent for 5 s or more, and it answered before anything beyond it did, all within 5 minutes.",
            condition: { $0.restart != nil }
        ) { facts in
            var record = facts.longest(in: facts.phases)
            record.cause = .routerRestarted
            record.fault = .router
            record.reason = OutageFacts.restartReason
            record.interfaceName = facts.restart?.silent.interfaceName
            record.interfaceType = facts.restart?.silent.interfaceType
            return record
        },
        OutageRule(
            sign: "Otherwise the state, the cause and the side are those that lasted longest.", condition: { _ in true }
        ) {
            $0.longest(in: $0.phases)
        },
    ]
}

/// The facts from which ``OutageRule`` concludes.
struct OutageFacts: Hashable, Sendable {
    let phases: [Outage.Phase]
    /// The number of milliseconds since the beginning of the outage.
    let milliseconds: Int64

    /// The time in which a router is expected to restart, and its uplink to return after it.
    static let longestRestart: Int64 = 300_000
    /// The silence from which a router may have restarted; less is a link that just came up.
    static let shortestSilence: Int64 = 5000
    static let restartReason = "The router restarted."

    /// A router that was silent, and then answered while nothing beyond it did.
    struct Restart: Hashable, Sendable {
        /// The first phase in which the router was silent.
        let silent: Outage.Phase
        /// The phases from the router's answer on.
        let after: [Outage.Phase]
        /// The number of milliseconds from the router's answer to the end.
        let uplink: Int64
    }

    /// The restart of the router that these phases show; nil if they show none.
    ///
    /// A silent router was asked over a running link. Before its silence, the link may have been down, because the router is its other end.
    /// What was blamed on something else before is not the router's doing.
    var restart: Restart? {
        guard let last = phases.lastIndex(where: { $0.fault == .router }),
            let first = phases.firstIndex(where: { $0.fault == .router }),
            let answer = phases[last...].firstIndex(where: \.provesRouter),
            phases[answer].offset <= Self.longestRestart
        else { return nil }
        let silence = phases[first...last].reduce(0) { $0 + ($1.fault == .router ? $1.milliseconds : 0) }
        let other = phases[..<first].reduce(0) { $0 + ([nil, .machine].contains($1.fault) ? 0 : $1.milliseconds) }
        guard silence >= Self.shortestSilence, other < Self.shortestSilence else { return nil }
        return Restart(
            silent: phases[first], after: Array(phases[answer...]), uplink: milliseconds - phases[answer].offset)
    }

    /// The state that lasted longest in some phases, its longest cause, and the rest that lasted longest with these.
    ///
    /// The worst of several states wins that lasted equally long, otherwise the first.
    func longest(in phases: [Outage.Phase]) -> StateRecord {
        guard phases.count > 1 else { return phases.first?.record ?? StateRecord(.offline) }
        // The sort keeps the order of equal elements.
        var rest = phases.sorted { $0.state.severity < $1.state.severity }
        Self.keepLongest(&rest, by: \.state)
        Self.keepLongest(&rest, by: \.cause)
        Self.keepLongest(&rest, by: \.record)
        return rest[0].record
    }

    /// Keeps the phases with the key whose total duration is the longest; the first of several.
    private static func keepLongest<Key: Hashable>(_ phases: inout [Outage.Phase], by key: (Outage.Phase) -> Key) {
        guard phases.count > 1 else { return }
        var totals: [Key: Int64] = [:]
        for phase in phases { totals[key(phase), default: 0] += phase.milliseconds }
        let longest = totals.values.max()
        guard let chosen = phases.first(where: { totals[key($0)] == longest }) else { return }
        phases.removeAll { key($0) != key(chosen) }
    }
}

extension Outage.Phase {
    /// Whether the router must have answered: something beyond it fails in a way that shows it.
    fileprivate var provesRouter: Bool {
        switch fault {
        case .provider: ![HistoryCause(.tunnelSilent), HistoryCause(.linkSilent)].contains(cause)
        case .nameServers, .portal, .filter, .endpoints: true
        default: false
        }
    }
}
