// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Netlink
import NetworkState
import Testing

@testable import OpenSystemConfiguration

struct CaptiveNetworkTests {
    @Test func `a connected Wi-Fi interface has Apple's keys, in the forms that source code casts them to`() throws {
        let link = WiFiLink(ssid: Array("Home".utf8), accessPoint: MACAddress(bytes: [2, 0, 0, 0, 0, 1]))
        let info = try #require(networkInfo(link))
        #expect(info[kCNNetworkInfoKeySSID as String] as? String == "Home")
        #expect(info[kCNNetworkInfoKeyBSSID as String] as? String == "02:00:00:00:00:01")
        #expect((info as? [String: Any])?["SSIDDATA"] as? Data == Data("Home".utf8))
    }

    @Test func `a network without a name has no information`() {
        #expect(networkInfo(WiFiLink(ssid: nil)) == nil)
        #expect(CNCopyCurrentNetworkInfo("lo") == nil)
        #expect((CNCopySupportedInterfaces() as? [String])?.contains("lo") != true)
    }
}

#endif
