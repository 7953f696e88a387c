// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
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
            .hosts: .list([
                "nas.corp.test:445", "10.1.2.4", "https://admin:secret@10.1.2.4:8443/secret?token=1",
                "https://u:secret@NAS.corp.test/secret", "u:secret@10.1.2.4", "https://u:secret@10.1.2.4:99999/",
            ]),
            .interval: .number(30, typed: "30"),
            .notifyURL: .text("https://hooks.corp.test/T0/B0/token secret"), .tokenFile: .text("/home/alice/token"),
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
                hosts: name1.example:445, 192.0.2.2, https://192.0.2.2:8443, https://name1.example:443, …, …
                interval: 30
                notify-url: https://name3.example/
                passive: false
                token-file: a path of its own

                """)
    }
    /// In another process, because it changes PATH.
    @Test(.real) func `the history is that of the settings, and no program of PATH reads it`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-bundle-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appending(path: "dialtone-server").path
            try Data("#!/bin/sh\necho \"ran: $*\"\n".utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            setenv("PATH", folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""), 1)
            let bundle = SupportBundle(
                conclusion: ("", ""), facts: Facts(NetworkPath(status: .satisfied), nil), hostNames: [], settings: [:],
                system: [])
            let file = folder.appending(path: "bundle.txt")
            try await bundle.write(to: file.path, config: "/other.json", program: program)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("ran: history --csv --kind outages --since 7d --config=/other.json"), "\(text)")
            try await bundle.write(to: file.path, config: nil, program: nil)
            let none = try String(contentsOf: file, encoding: .utf8)
            #expect(none.contains("none: dialtone history ended with 127") && !none.contains("ran:"), "\(none)")
        }
    }
}
