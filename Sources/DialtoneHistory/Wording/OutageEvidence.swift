// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// The outages with one side of the fault.
package struct SideTotal: Hashable, Sendable {
    /// The place of the fault; nil if it is not known.
    package let fault: ConnectivityFault?
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
}

extension HopPeriod {
    package var end: Date { start + length }
}
