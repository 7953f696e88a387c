// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone

/// The context of a wait: a monitor of the requested interfaces, and its waiting room.
struct WaitContext {
    let monitor: ConnectivityMonitor
    let room: WaitingRoom

    /// Creates the context; it checks the Internet only if the target is the Internet.
    ///
    /// - Throws: `ValidationError` for an invalid value.
    ///
    /// - Parameter deadline: the time limit of the wait. A check ends before it, so that a timeout can state its result.
    init(_ options: WaitOptions, within deadline: Duration?) throws {
        let target = try options.target()
        // The required interface does not have to exist yet.
        let paths = SystemPathSource(try options.interfaces.filter(mayBeMissing: true))
        var check = try options.files.settings(with: options.endpoints.values).check()
        if let deadline {
            let bound = max(deadline * 0.8, deadline - .milliseconds(500))
            check.configuration.timeouts.total = min(check.configuration.timeouts.total, bound)
            check.configuration.timeouts.resolve = min(check.configuration.timeouts.resolve, bound - bound / 20)
        }
        check.isBoundToPath = !options.interfaces.isEmpty
        var configuration = WaitingRoom.Configuration()
        // A single command needs no spreading, and counts its attempts itself.
        configuration.releaseSpread = .zero
        configuration.retryBudget = .max
        do {
            monitor = try ConnectivityMonitor(
                ConnectivityMonitor.Configuration(), paths: paths, checker: target == .verified ? check : nil)
            room = try WaitingRoom(monitor, configuration: configuration)
        } catch {
            throw ValidationError("\(error)")
        }
        monitor.start()
    }

    /// Follows the monitor, and shows each different reason while the wait lasts.
    func show(on line: WaitingLine, _ policy: WaitingPolicy) -> ConnectivityObservation {
        monitor.observe(on: DispatchQueue(label: "dialtone.waiting")) { connectivity in
            if let reason = policy.obstacle(in: connectivity) {
                line.show(reason)
            } else if case .host = policy.level {
                // There is a path; the check of the host reports why it does not answer.
                line.forgetReason()
            } else {
                line.clear()
            }
        }
    }
}
