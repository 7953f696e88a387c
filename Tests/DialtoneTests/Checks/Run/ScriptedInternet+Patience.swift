// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting

extension ScriptedInternet {
    /// The configuration of a check that must not meet a time limit: each limit is a minute, which a busy machine keeps.
    var patientConfiguration: InternetCheck.Configuration {
        var configuration = configuration
        let minute = Duration.seconds(60)
        configuration.timeouts = .init(
            resolve: minute, connect: minute, tls: minute, headers: minute, body: minute, total: minute)
        return configuration
    }
}
