//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

/// Makes the monitor that the options and settings ask for.
struct MonitorMaking {
    let interfaces: InterfaceOptions
    let settings: Settings

    /// A monitor with these times.
    ///
    /// - Parameters:
    ///   - configuration: the times.
    ///   - total: how long a check may take, unless the settings say; nil is the usual time.
    /// - Throws: `ValidationError` for what cannot be.
    func monitor(
        _ configuration: ConnectivityMonitor.Configuration, checkingWithin total: Duration? = nil
    ) throws -> ConnectivityMonitor {
        let filter = try interfaces.filter()
        do {
            let asked = try settings.check(within: total)
            var configuration = configuration
            if total != nil {
                // A check ends in its time; this only bounds what must not happen.
                configuration.firstValueBound = asked.timeouts.total + .seconds(2)
            }
            let checker = InterfaceBoundCheck(asked, isBound: !interfaces.isEmpty)
            return try ConnectivityMonitor(
                configuration, paths: SystemPathSource(filter), checker: settings.isPassive ? nil : checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
