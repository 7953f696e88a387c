// SPDX-License-Identifier: Apache-2.0

import Foundation
import Network

/// Network's path monitor over one type of interface: other types neither satisfy it nor call it.
func watchPath(of type: NWInterface.InterfaceType, _ row: Table.Row) -> NWPathMonitor {
    let monitor = NWPathMonitor(requiredInterfaceType: type)
    monitor.pathUpdateHandler = { row.show($0.summary) }
    monitor.start(queue: DispatchQueue.global(qos: .background))
    return monitor
}
