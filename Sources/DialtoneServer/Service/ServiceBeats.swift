//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneHistory
import Logging

/// What a service tells its manager while it runs: ready, alive, stopping; and the history's own signs of life.
struct ServiceBeats: Sendable {
    let notifier: ServiceNotifier
    let history: HistoryStore
    let logger: Logger

    /// Says that the service is ready, and what it does.
    func begin(_ words: String) { tell(ServiceMessage.ready.and(.status(words))) }

    /// Says that it stops.
    func end() { tell(.stopping) }

    /// Gives signs of life until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [history] in
                let interval = Duration.seconds(history.configuration.heartbeatInterval)
                while await Self.pause(interval) { history.heartbeat() }
            }
            guard let beat = notifier.beat else { return }
            group.addTask {
                while await Self.pause(beat) { tell(.alive) }
            }
        }
    }

    /// Returns false once the task is cancelled.
    private static func pause(_ time: Duration) async -> Bool {
        (try? await Task.sleep(for: time)) != nil
    }

    private func tell(_ message: ServiceMessage) {
        do {
            try notifier.send(message)
        } catch {
            logger.debug("service manager", metadata: ["error": "\(error)"])
        }
    }
}
