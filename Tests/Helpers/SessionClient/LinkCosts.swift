// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession

/// Sets the cost of the link as the test's options require.
enum LinkCosts {
    static func set(by options: Set<String>) {
        #if !canImport(Darwin)
        var policy = CostPolicy.current
        if options.contains("--expensive") { policy[.interface("up0")] = .expensive }
        if options.contains("--constrained") { policy[.interface("up0")] = .constrained }
        if options.contains("--ultra-constrained") { policy[.interface("up0")] = .init(isUltraConstrained: true) }
        CostPolicy.current = policy
        // A cost that ends: from the signal on, the user's plan is unlimited.
        if options.contains("--until-signal") {
            signal(SIGUSR1, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
            source.setEventHandler { [source] in
                CostPolicy.current = CostPolicy()
                source.cancel()
            }
            // Dispatch catches the signal a little later.
            let isCaught = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isCaught.signal() }
            source.activate()
            isCaught.wait()
        }
        #endif
    }
}
