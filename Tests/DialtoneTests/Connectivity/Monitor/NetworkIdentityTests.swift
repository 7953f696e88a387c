// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

struct NetworkIdentityTests {
    private static let home = NetworkIdentity(
        gatewayLinkAddresses: ["02:00:00:00:00:01"], prefixes: ["192.0.2.0/24"], ssid: "home")

    @Test(
        arguments: [
            // Several access points and one router.
            (NetworkIdentity(gatewayLinkAddresses: ["02:00:00:00:00:01"], prefixes: ["203.0.113.0/24"]), true),
            (NetworkIdentity(gatewayLinkAddresses: ["02:00:00:00:00:01"], ssid: "guests"), false),
            (NetworkIdentity(gatewayLinkAddresses: ["02:00:00:00:00:02"], prefixes: home.prefixes), false),
            // Without a router to compare, the prefixes decide, if both are known.
            (NetworkIdentity(prefixes: ["192.0.2.0/24", "2001:db8::/64"]), true),
            (NetworkIdentity(prefixes: ["203.0.113.0/24"]), false), (NetworkIdentity(), true),
        ])
    func `the name, the router and then the prefixes distinguish networks`(other: NetworkIdentity, isSame: Bool) {
        #expect(other.canBeSameNetwork(as: Self.home) == isSame)
        #expect(Self.home.canBeSameNetwork(as: other) == isSame)
    }
}
