// SPDX-License-Identifier: Apache-2.0

import DialtoneNotifications
import Foundation

/// A notification for each change of the route to a host, with its `userInfo`.
func watchHostNotification(_ name: String, _ row: Table.Row) -> (HostMonitor, any NSObjectProtocol)? {
    guard let monitor = HostMonitor(hostname: name) else { return nil }
    let token = NotificationCenter.default.addObserver(forName: .hostReachabilityDidChange, object: monitor, queue: nil)
    {
        row.show(summary($0.userInfo))
    }
    monitor.start(queue: .main)
    return (monitor, token)
}

/// The names of the true values, and every other value, of a `userInfo`.
func summary(_ userInfo: [AnyHashable: Any]?) -> String {
    let parts = (userInfo ?? [:]).compactMap { key, value -> String? in
        guard let flag = value as? Bool else { return "\(key): \(value)" }
        return flag ? "\(key)" : nil
    }
    return parts.sorted().joined(separator: " ")
}
