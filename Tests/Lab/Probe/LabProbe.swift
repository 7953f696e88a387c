// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Glibc

/// Runs the lab's scenarios inside the guest, and prints one result per scenario.
///
/// `LabProbe` runs all of them, `LabProbe NAME…` those whose names contain one of the words, `LabProbe list` lists them.
/// It exits with 1 when one fails. The scenarios start this program again: once for each of them (`one NAME`), as the other end
/// of a modem's cable (`modem FOLDER`), as the server of a captive portal (`portal`), and as a user without privilege
/// (`details LINK`, `path`).
@main
enum LabProbe {
    static let scenarios =
        Scenario.clock + Scenario.modems + Scenario.phones + Scenario.wifi + Scenario.roaming + Scenario.portal
        + Scenario.tunnels + Scenario.stacked + Scenario.networkManager

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.dropFirst().first) {
        case ("modem", let folder?): ModemGadget(folder: folder).run()
        case ("portal", nil): PortalServer().run()
        case ("details", let link?): print(WiFiDetails(ofInterface: link).map { "\($0)" } ?? "none")
        case ("path", nil):
            for await path in NetworkPath.updates() { return print(Watch.text(path)) }
        case ("list", nil): for scenario in scenarios { print(scenario.name) }
        case ("record", nil): exit(Runner(Recording.scenarios, []).run() ? 0 : 1)
        case ("one", let name?):
            guard let scenario = (scenarios + Recording.scenarios).first(where: { $0.name == name }) else { exit(64) }
            exit(await scenario.perform() ? 0 : 1)
        default: exit(Runner(scenarios, words).run() ? 0 : 1)
        }
    }
}
