// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

/// Verified connectivity: the path, and whether the Internet answers over it.
func watchConnectivity(_ row: Table.Row) -> ConnectivityObservation {
    ConnectivityMonitor.shared.observe(on: DispatchQueue(label: "Variants.connectivity")) { connectivity in
        let reason = connectivity.path.diagnosis.map { ": \($0)" } ?? ""
        row.show("\(connectivity.state.rawValue)\(reason)")
    }
}
