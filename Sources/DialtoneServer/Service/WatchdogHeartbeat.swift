// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Logging

/// Reports to the service manager and to the history that the server is running.
struct WatchdogHeartbeat: Sendable {
    let notifier: ServiceNotifier
    let history: HistoryStore
    let logger: Logger
    /// Waits until the server has handled an event, and returns whether it is serving.
    ///
    /// It does not return while the server hangs.
    let responds: @Sendable () async -> Bool

    /// Reports that the service is ready, then sends heartbeats until the task is cancelled.
    ///
    /// The watchdog message is sent only while connections are accepted and the history's queue is working. A queue
    /// that waits for a disk counts as working: a restart would wait for the same disk, and lose the records in memory.
    func run(status: String) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [history] in
                let interval = Duration.seconds(history.configuration.heartbeatInterval)
                while await Self.pause(interval) { history.heartbeat() }
            }
            group.addTask {
                // Without this message, systemd stops the service, so retry if the manager's queue is full.
                while !deliver(ServiceMessage.ready.and(.status(status))) {
                    guard await Self.pause(.milliseconds(200)) else { return }
                }
                guard let interval = notifier.interval else { return }
                while await Self.pause(interval) {
                    if await responds(), history.isResponding { _ = deliver(.alive) }
                }
            }
        }
    }

    /// Reports that the service is stopping.
    func end() async {
        for _ in 0..<10 {
            if deliver(.stopping) { return }
            _ = await Self.pause(.milliseconds(100))
        }
    }

    /// Returns false once the task is cancelled.
    private static func pause(_ time: Duration) async -> Bool {
        (try? await Task.sleep(for: time)) != nil
    }

    /// - Returns: whether the message needs no further attempt.
    private func deliver(_ message: ServiceMessage) -> Bool {
        do {
            try notifier.send(message)
            return true
        } catch {
            logger.debug("service manager", metadata: ["error": "\(error)"])
            return !error.isTemporary
        }
    }
}
