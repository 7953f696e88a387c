//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The last sign of life of one run of the watching.
package struct Beat: Codable, Hashable, Sendable {
    /// What the clocks said.
    package var reading: ClockReading
    /// Whether the run was ended as it should be.
    package var isEnd: Bool
    /// How many seconds there are at most between two signs of life.
    package var interval: Double

    /// Makes a sign of life.
    package init(reading: ClockReading, isEnd: Bool = false, interval: Double) {
        self.reading = reading
        self.isEnd = isEnd
        self.interval = interval
    }

    /// Whether the run may still be alive: the next sign of life is not long overdue.
    package func isAlive(at now: ClockReading) -> Bool {
        !isEnd && now.boot == reading.boot && now.monotonic - reading.monotonic <= 3 * interval + 5
    }
}
