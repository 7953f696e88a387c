// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemConfiguration

/// SystemConfiguration with a host name: the name is resolved, and its addresses decide.
func watchHostName(_ name: String, _ row: Table.Row) -> FlagsWatch? {
    SCNetworkReachabilityCreateWithName(nil, name).map { FlagsWatch($0, row) }
}
