// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting

extension SimulatedNetwork {
    /// Changes the path, and returns once the monitor has notified everything that was already observing it.
    ///
    /// The monitor may be delivering the result of a check on another thread: then `become(_:)` leaves the delivery to
    /// that thread.
    func become(_ path: SimulatedPath, seenBy monitor: ConnectivityMonitor) async {
        become(path)
        for await connectivity in monitor.updates() where connectivity.path == path.path { break }
    }
}
