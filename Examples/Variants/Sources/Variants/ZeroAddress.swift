// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemConfiguration

/// SystemConfiguration with the zero address: a route to anywhere, which depends on no host.
func watchZeroAddress(_ row: Table.Row) -> FlagsWatch? {
    var zero = sockaddr_in()
    zero.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    zero.sin_family = sa_family_t(AF_INET)
    let target = withUnsafePointer(to: &zero) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { SCNetworkReachabilityCreateWithAddress(nil, $0) }
    }
    return target.map { FlagsWatch($0, row) }
}
