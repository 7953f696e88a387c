//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

/// What the commands wait on: a monitor over the interfaces asked for, and its room.
struct WaitingPlace {
    let monitor: ConnectivityMonitor
    let room: WaitingRoom

    /// Makes a place that checks the Internet only where that is what is waited for.
    ///
    /// - Throws: `ValidationError` for what cannot be.
    init(_ options: WaitOptions) throws {
        let target = try options.target()
        // The link that is waited for need not exist yet.
        let paths = SystemPathSource(try options.interfaces.filter(mayBeMissing: true))
        let checker = InterfaceBoundCheck(
            try options.files.check(try options.checks()), isBound: !options.interfaces.isEmpty)
        var configuration = WaitingRoom.Configuration()
        // One command is no herd, and has attempts of its own to count.
        configuration.releaseSpread = .zero
        configuration.retryBudget = .max
        do {
            monitor = try ConnectivityMonitor(
                ConnectivityMonitor.Configuration(), paths: paths, checker: target == .internet ? checker : nil)
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
                // The path is there; what keeps the host from answering is told by who asks it.
                line.forgetReason()
            } else {
                line.clear()
            }
        }
    }
}
