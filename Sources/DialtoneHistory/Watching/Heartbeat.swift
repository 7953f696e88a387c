// SPDX-License-Identifier: Apache-2.0

/// The last heartbeat of a run.
package struct Heartbeat: Codable, Hashable, Sendable {
    /// The clock reading at the heartbeat.
    package var reading: ClockReading
    /// Whether the run ended with a regular shutdown.
    package var isEnd: Bool
    /// The maximum number of seconds between two heartbeats.
    package var interval: Double

    package init(reading: ClockReading, isEnd: Bool = false, interval: Double) {
        self.reading = reading
        self.isEnd = isEnd
        self.interval = interval
    }

    /// Whether the run may still be active: its next heartbeat is not long overdue.
    package func isAlive(at now: ClockReading) -> Bool {
        !isEnd && now.boot == reading.boot && now.monotonic - reading.monotonic <= 3 * interval + 5
    }
}
