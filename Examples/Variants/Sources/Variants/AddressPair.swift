// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemConfiguration

/// SystemConfiguration with a pair of addresses: the route from the one to the other.
func watchAddressPair(from local: String, to remote: String, _ row: Table.Row) -> FlagsWatch? {
    guard var local = address(local), var remote = address(remote) else { return nil }
    let target = withUnsafePointer(to: &local) { local in
        withUnsafePointer(to: &remote) { remote in
            local.withMemoryRebound(to: sockaddr.self, capacity: 1) { local in
                remote.withMemoryRebound(to: sockaddr.self, capacity: 1) { remote in
                    SCNetworkReachabilityCreateWithAddressPair(nil, local, remote)
                }
            }
        }
    }
    return target.map { FlagsWatch($0, row) }
}

private func address(_ text: String) -> sockaddr_in? {
    var address = sockaddr_in()
    address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    return inet_pton(AF_INET, text, &address.sin_addr) == 1 ? address : nil
}
