// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Testing

@testable import CommandSupport
@testable import DialtoneCommand

/// The file for a bug report.
struct SupportBundleTests {
    @Test func `it has the settings without secrets, and numbers for addresses and names`() {
        let path = NetworkPath(
            status: .satisfied, interfaces: [.init(name: "eth0", index: 2, type: .wiredEthernet)], supportsIPv4: true,
            supportsDNS: true, gateways: [.init(NetworkAddress(10, 1, 2, 3))])
        let settings: SettingValues = [
            .endpoints: .list(["https://user:secret@status.corp.test/ok?key=1 body:password"]),
            .hosts: .list(["nas.corp.test:445", "10.1.2.4"]), .interval: .number(30, typed: "30"),
            .notifyURL: .text("https://hooks.corp.test/T0/B0/token"), .tokenFile: .text("/home/alice/token"),
            .hooks: .list(["/etc/dialtone/hooks.d"]), .costs: .list(["network:Home=expensive"]), .passive: .flag(false),
        ]
        let bundle = SupportBundle(
            conclusion: ("The router (10.1.2.3) does not answer.", #"{"router":"10.1.2.3"}"#), facts: Facts(path, nil),
            hostNames: ["nas.corp.test"], settings: settings, system: ["Dialtone 1.0"])
        #expect(
            bundle.text == """
                Dialtone 1.0
                Addresses and names are replaced by numbered ones.

                == Conclusion
                The router (192.0.2.1) does not answer.

                == State and facts
                {"router":"192.0.2.1"}

                == Settings that are not the default
                costs: network:…=expensive
                endpoints: https://name2.example/ body:…
                hooks: /etc/dialtone/hooks.d
                hosts: name1.example:445, 192.0.2.2
                interval: 30
                notify-url: https://name3.example/
                passive: false
                token-file: a path of its own

                """)
    }
}
