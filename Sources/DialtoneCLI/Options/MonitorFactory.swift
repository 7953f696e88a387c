// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dialtone
import DialtoneCommandLine

/// Creates the monitor for the options and settings.
struct MonitorFactory {
    let interfaces: InterfaceOptions
    let settings: Settings

    /// Creates a monitor with a configuration.
    ///
    /// - Throws: `ValidationError` for an invalid setting.
    func monitor(_ configuration: ConnectivityMonitor.Configuration) throws -> ConnectivityMonitor {
        let filter = try interfaces.filter()
        do {
            let checker = InterfaceBoundCheck(settings.check(), isBound: !interfaces.isEmpty)
            return try ConnectivityMonitor(
                configuration, paths: SystemPathSource(filter), checker: settings.isPassive ? nil : checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
