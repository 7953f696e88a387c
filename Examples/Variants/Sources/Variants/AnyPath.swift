// SPDX-License-Identifier: Apache-2.0

import Foundation
import Network

/// Network's path monitor over every type of interface.
func watchAnyPath(_ row: Table.Row) -> NWPathMonitor {
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { row.show($0.summary) }
    monitor.start(queue: DispatchQueue.global(qos: .background))
    return monitor
}

extension NWPath {
    /// The path for a table.
    var summary: String {
        let links = availableInterfaces.map(\.name).joined(separator: ", ")
        switch status {
        case .satisfied: return "satisfied over \(links)\(isExpensive ? ", expensive" : "")"
        case .requiresConnection: return "requires a connection"
        default: return "unsatisfied"
        }
    }
}
