//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneTesting

extension SimulatedNetwork {
    /// Changes the path, and returns when the monitor has told everybody who followed it before.
    ///
    /// The monitor may be telling them of a check at this moment, on another thread: then `become(_:)` leaves the news to it.
    func become(_ path: SimulatedPath, seenBy monitor: ConnectivityMonitor) async {
        become(path)
        for await connectivity in monitor.updates() where connectivity.path == path.path { break }
    }
}
