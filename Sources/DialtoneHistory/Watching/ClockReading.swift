//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What the clocks of this host say at one moment.
///
/// The wall clock tells when, the other two tell whether it can be believed: `boottime` goes on while the host is suspended,
/// `monotonic` does not, and nobody can set either (clock_gettime(2)).
public struct ClockReading: Codable, Hashable, Sendable {
    /// The wall clock.
    public var wall: Date
    /// Seconds since the host was started, with the time that it was suspended.
    public var boottime: Double
    /// Seconds since the host was started, without the time that it was suspended.
    public var monotonic: Double
    /// Which start of the host this is; another after each.
    public var boot: String

    /// Makes a reading.
    public init(wall: Date, boottime: Double, monotonic: Double, boot: String) {
        self.wall = wall
        self.boottime = boottime
        self.monotonic = monotonic
        self.boot = boot
    }

    /// When the host was started, by the wall clock.
    var started: Date { wall - boottime }

    /// How many seconds the host was suspended since an earlier reading of the same start; never negative.
    func suspended(since earlier: ClockReading) -> Double {
        max(0, (boottime - earlier.boottime) - (monotonic - earlier.monotonic))
    }
}
