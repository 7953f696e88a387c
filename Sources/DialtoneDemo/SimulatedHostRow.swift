// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneServer

extension HostRow {
    /// The row as it would be on a simulated network.
    func simulated(_ connectivity: Connectivity, over path: NetworkPath) -> HostRow {
        let route = HostStep(.success(HostRoute(interface: path.interfaces.first)), .zero)
        var row = self
        var report = HostReport(target: host.target, route: route, port: port ?? HostReachability.defaultPort)
        switch connectivity.state {
        case .offline, .requiresConnection:
            report.route.result = .failure(HostError(.noRoute, diagnosis: path.diagnosis))
        case .unknown: report.route.result = .failure(HostError(.unknown))
        case .limited, .noInternet: report.connection = HostStep(.failure(HostError(.timedOut)), .seconds(10))
        case .online, .unverified, .captivePortal:
            report.connection = HostStep(.success(NetworkAddress(198, 51, 100, 1)), .milliseconds(20))
        }
        (row.report, row.checkedAt, row.since, row.isOutdated) = (report, connectivity.since, connectivity.since, false)
        (row.flags, row.statistics, row.certificate) = (nil, HostStatistics(), nil)
        return row
    }
}
