// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// A monitor gives up no check before the check's own time limit.
struct TimeLimitTests {
    @Test(arguments: [(10, 30), (28, 33), (60, 65), (3600, 3605)])
    func `a long timeout moves the monitor's limit`(total: Int, limit: Int) throws {
        var configuration = InternetCheck.Configuration()
        configuration.timeouts.total = .seconds(total)
        let check = try InternetCheck(configuration)
        var bound = check
        bound.isBoundToPath = true
        for checker in [check, bound] {
            let monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: checker)
            #expect(monitor.configuration.checkTimeLimit == .seconds(limit))
        }
    }
}
