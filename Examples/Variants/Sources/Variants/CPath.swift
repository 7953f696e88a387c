// SPDX-License-Identifier: Apache-2.0

import Foundation
import Network

/// Network's path monitor by its C interface, as Objective-C sources use it.
func watchCPath(_ row: Table.Row) -> nw_path_monitor_t {
    let monitor = nw_path_monitor_create()
    nw_path_monitor_set_queue(monitor, DispatchQueue(label: "Variants.path", qos: .utility))
    nw_path_monitor_set_update_handler(monitor) { path in
        let flags = [
            ("Wi-Fi", nw_path_uses_interface_type(path, nw_interface_type_wifi)),
            ("cellular", nw_path_uses_interface_type(path, nw_interface_type_cellular)),
            ("Ethernet", nw_path_uses_interface_type(path, nw_interface_type_wired)),
            ("expensive", nw_path_is_expensive(path)), ("IPv4", nw_path_has_ipv4(path)),
            ("IPv6", nw_path_has_ipv6(path)), ("DNS", nw_path_has_dns(path)),
        ]
        let words = flags.filter(\.1).map(\.0).joined(separator: " ")
        row.show("status \(nw_path_get_status(path).rawValue) \(words)")
    }
    nw_path_monitor_start(monitor)
    return monitor
}
