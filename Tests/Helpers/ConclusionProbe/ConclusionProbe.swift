// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

/// Prints what the library concludes about this machine's network, as the object that `dialtone status` prints.
///
/// The arguments are endpoints instead of the default ones, or `--require-tls`.
@main
struct ConclusionProbe {
    static func main() async throws {
        var configuration = InternetCheck.Configuration(proxies: .environment)
        configuration.requiresTLS = CommandLine.arguments.contains("--require-tls")
        let endpoints = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
        if !endpoints.isEmpty { configuration.endpoints = try endpoints.map(InternetCheck.Endpoint.init(parsing:)) }
        let monitor = try ConnectivityMonitor(.init(), checker: InternetCheck(configuration))
        // clock: a program has the machine's time.
        print(try OneLineJSON.text(StatusReport(await monitor.verify(), at: .now)))
    }
}
