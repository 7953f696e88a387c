// SPDX-License-Identifier: Apache-2.0

public import OpenNetwork
import SystemSupport

extension NetworkAddress {
    /// The address, if the host is one; nil for a name.
    public init?(_ host: NWEndpoint.Host) {
        switch host {
        case .ipv4(let address): self.init(address)
        case .ipv6(let address): self.init(address)
        default: return nil
        }
    }

    /// The address of one of Apple's types, with the index of its interface.
    package init?(_ address: some IPAddress) {
        self.init(
            bytes: Array(address.rawValue), scope: address.interface.map { UInt32(truncatingIfNeeded: $0.index) } ?? 0)
    }
}
