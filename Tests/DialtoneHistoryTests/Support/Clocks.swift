// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// Clocks that return the values set by a test.
final class Clocks: Sendable {
    let reading: Mutex<ClockReading>

    init(_ reading: ClockReading) { self.reading = Mutex(reading) }

    func set(_ new: ClockReading) { reading.withLock { $0 = new } }

    /// - Parameter tickInterval: longer for a test whose clocks leap while the process runs.
    func configuration(tickInterval: Double = 10) -> HistoryConfiguration {
        var configuration = HistoryConfiguration()
        configuration.clock = { self.reading.withLock(\.self) }
        configuration.tickInterval = tickInterval
        return configuration
    }
}
