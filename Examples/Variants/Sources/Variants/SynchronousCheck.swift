// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

/// The check without a callback or `await`, repeated every half second to be shown in a table.
func watchSynchronousCheck(_ row: Table.Row) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "Variants.check"))
    timer.setEventHandler { row.show(NetworkPath.read().status == .satisfied ? "reachable" : "not reachable") }
    timer.schedule(deadline: .now(), repeating: .milliseconds(500))
    timer.activate()
    return timer
}
