// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The values of this host's clocks at one moment.
///
/// The wall clock gives the time, and the other two show whether it is trustworthy: `boottime` keeps running while the
/// host is suspended, `monotonic` does not, and neither can be set (clock_gettime(2)).
public struct ClockReading: Codable, Hashable, Sendable {
    /// The wall clock.
    public var wall: Date
    /// Seconds since the host booted, including suspended time.
    public var boottime: Double
    /// Seconds since the host booted, excluding suspended time.
    public var monotonic: Double
    /// The identifier of this boot; different after each boot.
    public var boot: String

    /// Creates a reading from the values of the clocks.
    public init(wall: Date, boottime: Double, monotonic: Double, boot: String) {
        self.wall = wall
        self.boottime = boottime
        self.monotonic = monotonic
        self.boot = boot
    }

    /// The wall-clock time at which the host booted.
    var started: Date { wall - boottime }

    /// The number of seconds the host was suspended since an earlier reading of the same boot; never negative.
    func suspended(since earlier: ClockReading) -> Double {
        max(0, (boottime - earlier.boottime) - (monotonic - earlier.monotonic))
    }
}
