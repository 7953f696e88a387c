// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// The outages with one side of the fault.
package struct SideTotal: Hashable, Sendable {
    /// The place of the fault; nil if it is not known.
    package let fault: ConnectivityFault?
    /// The number of outages.
    package private(set) var outages = 0
    /// The duration of all of them in seconds.
    package private(set) var seconds = 0.0
    /// The number of seconds by which `seconds` may differ from the truth.
    package private(set) var margin = 0.0

    /// Returns the totals from near to far, and those of an unknown side last: the three sides of every connection, and the
    /// others that have outages.
    package static func totals(_ outages: [Outage]) -> [SideTotal] {
        var totals = (ConnectivityFault.allCases + [nil]).map { SideTotal(fault: $0) }
        for outage in outages {
            guard let place = totals.firstIndex(where: { $0.fault == outage.fault }) else { continue }
            totals[place].outages += 1
            totals[place].seconds += outage.length
            totals[place].margin += outage.margin
        }
        return totals.filter { $0.outages > 0 || [.machine, .router, .provider].contains($0.fault) }
    }

    private init(fault: ConnectivityFault?) { self.fault = fault }
}

extension HistoryWording {
    /// The side of a fault, which blames no company: what is beyond the router may be a cable of the house.
    package static func side(_ fault: ConnectivityFault?) -> String {
        switch fault {
        case .machine: "this machine or its link"
        case .tunnel: "this machine's VPN"
        case .router: "the router"
        case .nameServers: "name servers"
        case .proxy: "a proxy"
        case .portal: "login page of the network"
        case .filter: "a filter in the network"
        case .provider: "beyond the router"
        case .endpoints: "the servers that were asked"
        case .host: "a host"
        case nil: "not known"
        }
    }

    /// The sides of an outage in turn, each with its time.
    static func sidesInTurn(_ outage: Outage) -> [(fault: ConnectivityFault?, seconds: Double)] {
        outage.phases.reduce(into: []) { sides, phase in
            if let last = sides.last, last.fault == phase.fault {
                sides[sides.count - 1].seconds += phase.length
            } else {
                sides.append((phase.fault, phase.length))
            }
        }
    }

    /// The sides of an outage in turn, such as `this machine or its link 5 s, then the router 40 s`; nil if there is one.
    package static func phases(_ outage: Outage) -> String? { ReportWording.english.phases(outage) }
}

/// The packets that the hops answered in the time of an outage, as far as they were counted.
package struct OutageHops: Hashable, Sendable {
    /// The start of the first period that was counted.
    package let start: Date
    /// The end of the last one.
    package let end: Date
    /// Whether the periods are parts of the outage; else they only overlap it, and also count answers before or after it.
    package let isWithin: Bool
    /// The counts of each hop that was asked.
    package let counts: [Count]
    /// Whether packets to what is beyond the router entered a tunnel.
    package let isTunneled: Bool

    /// The packets of a hop.
    package struct Count: Hashable, Sendable {
        package let hop: HeartbeatHop
        package let sent: Int
        package let answered: Int
    }

    /// Counts the packets of the periods within an outage or, without any, of those that overlap it; nil without these.
    package init?(_ outage: Outage, _ periods: some Sequence<HopPeriod>) {
        let overlapping = periods.filter { $0.start < outage.end && $0.end > outage.start && $0.statistics.sent > 0 }
        let inner = overlapping.filter { $0.start >= outage.start && $0.end <= outage.end }
        let counted = inner.isEmpty ? overlapping : inner
        guard let start = counted.map(\.start).min(), let end = counted.map(\.end).max() else { return nil }
        (self.start, self.end, isWithin) = (start, end, !inner.isEmpty)
        isTunneled = outage.fault == .tunnel
        counts = HeartbeatHop.allCases.compactMap { hop in
            let all = HopStatistics(merging: counted.filter { $0.hop == hop }.map(\.statistics))
            return all.sent > 0 ? Count(hop: hop, sent: all.sent, answered: all.sent - all.lost) : nil
        }
    }
}

extension HopPeriod {
    /// The end of the period.
    package var end: Date { start + length }
}
