// SPDX-License-Identifier: Apache-2.0

import Dialtone
import LibC
package import SystemSupport

// The only platform-specific part of this module: the identifier of the current boot.

extension ClockReading {
    /// Reads the clocks of this host.
    package static func now() -> ClockReading {
        let moment = TimeSource.system.moment
        return ClockReading(
            wall: moment.realtime, boottime: moment.boottime / .seconds(1), monotonic: moment.monotonic / .seconds(1),
            boot: thisBoot)
    }

    private static let thisBoot: String = {
        #if canImport(Darwin)
        var text = [UInt8](repeating: 0, count: 64)
        var length = text.count
        guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &length, nil, 0) == 0 else { return "" }
        return String(decoding: text.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
        #else
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return String(text.prefix { !$0.isNewline }.prefix(64))
        #endif
    }()
}

/// The values of this host's clocks at one moment.
///
/// The wall clock gives the time, and the other two show whether it is trustworthy: `boottime` keeps running while the
/// host is suspended, `monotonic` does not, and neither can be set (clock_gettime(2)).
package struct ClockReading: Hashable, Sendable {
    package var wall: Date
    /// Seconds since the host booted, including suspended time.
    package var boottime: Double
    /// Seconds since the host booted, excluding suspended time.
    package var monotonic: Double
    /// The identifier of this boot; different after each boot.
    package var boot: String

    /// The reading at an earlier time, if the host was awake since then.
    func earlier(at time: Date) -> ClockReading {
        let passed = wall.timeIntervalSince(time)
        return ClockReading(wall: time, boottime: boottime - passed, monotonic: monotonic - passed, boot: boot)
    }

    /// The wall-clock time at which the host booted.
    var started: Date { wall - boottime }

    /// The number of seconds the host was suspended since an earlier reading of the same boot; never negative.
    func suspended(since earlier: ClockReading) -> Double {
        max(0, (boottime - earlier.boottime) - (monotonic - earlier.monotonic))
    }
}

/// Decides whether the wall clock can be trusted for removing old records.
///
/// A host without a clock battery may boot in any year until its clock is set; that must not erase the history.
struct ClockTrust: Hashable, Sendable {
    /// The clock is trusted at once if the previous run ended at most this number of seconds ago.
    static let longestAbsence: Double = 30 * 86_400
    /// The clock is trusted after it has not been set for this number of seconds.
    static let shortestUnchanged: Double = 86_400

    private let previous: Date?
    private var last: ClockReading
    /// The `boottime` since which the clock has not been set.
    private var unchangedSince: Double

    /// Creates the decision for one run.
    ///
    /// - Parameter previous: the last tick of the previous run; nil if there was none.
    init(after previous: Date?, at beginning: ClockReading) {
        self.previous = previous
        last = beginning
        unchangedSince = beginning.boottime
    }

    /// Evaluates a clock reading.
    ///
    /// - Returns: whether the wall clock can be trusted.
    mutating func trusts(_ now: ClockReading) -> Bool {
        if GapRules.step(since: last, now: now) != nil { unchangedSince = now.boottime }
        last = now
        guard let previous else { return true }
        return abs(now.wall.timeIntervalSince(previous)) <= Self.longestAbsence
            || now.boottime - unchangedSince >= Self.shortestUnchanged
    }
}
