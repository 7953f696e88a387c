// SPDX-License-Identifier: Apache-2.0

import DialtoneNotifications
import Foundation

/// A notification for each change of the path, with its `userInfo`.
func watchPathNotification(_ row: Table.Row) -> (PathMonitor, any NSObjectProtocol) {
    let monitor = PathMonitor()
    let token = NotificationCenter.default.addObserver(
        forName: .networkPathDidChange, object: monitor, queue: nil
    ) { row.show(summary($0.userInfo)) }
    monitor.start(queue: .main)
    return (monitor, token)
}
