// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink

/// Link metadata from sources other than the kernel's link list: radio switches and NetworkManager.
struct LinkMetadata: Equatable {
    var managed: [ManagedDevice] = []
    var switches: [RadioSwitch] = []

    /// Returns a link completed with these facts.
    func complete(_ link: NetworkInterface, _ message: LinkMessage?, _ wifi: WiFiReader.Entry?) -> NetworkInterface {
        var link = link
        link.wifi = wifi?.link
        link.metered = device(link, message)?.metered ?? .unknown
        switch link.type {
        case .wifi: link.radioBlock = switches.block(of: .wlan, named: wifi?.radio)
        case .cellular: link.radioBlock = switches.block(of: .wwan, named: nil)
        default: break
        }
        return link
    }

    /// Whether NetworkManager reports a link as a modem's.
    func isModem(_ message: LinkMessage) -> Bool {
        managed.contains {
            $0.isModem && $0.isLink(named: message.name ?? "", hardwareAddress: message.hardwareAddress)
        }
    }

    private func device(_ link: NetworkInterface, _ message: LinkMessage?) -> ManagedDevice? {
        let own = managed.filter { $0.isLink(named: link.name, hardwareAddress: message?.hardwareAddress) }
        // NetworkManager may list both a modem and its data link.
        return own.first { $0.metered != .unknown } ?? own.first
    }
}
#endif
