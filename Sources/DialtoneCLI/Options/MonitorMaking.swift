//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

/// Makes the monitor that the options ask for.
struct MonitorMaking {
    let interfaces: InterfaceOptions
    let options: CheckOptions
    let isPassive: Bool

    /// A monitor with these times.
    ///
    /// - Parameters:
    ///   - configuration: the times.
    ///   - total: how long a check may take, unless `--timeout` says; nil is the usual time.
    /// - Throws: `ValidationError` for what cannot be.
    func monitor(
        _ configuration: ConnectivityMonitor.Configuration, checkingWithin total: Duration? = nil
    ) throws -> ConnectivityMonitor {
        let filter = try interfaces.filter()
        let asked = try options.configuration(total: total)
        var configuration = configuration
        if total != nil {
            // A check ends in its time; this only bounds what must not happen.
            configuration.firstValueBound = asked.timeouts.total + .seconds(2)
        }
        let checker = InterfaceBoundCheck(asked, isBound: !interfaces.isEmpty)
        do {
            return try ConnectivityMonitor(
                configuration, paths: SystemPathSource(filter), checker: isPassive ? nil : checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
