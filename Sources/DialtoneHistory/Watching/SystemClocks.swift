// SPDX-License-Identifier: Apache-2.0

import CLibrary
import DialtoneSupport

// The only platform-specific part of this module: the clocks, and the identifier of the current boot.

extension ClockReading {
    /// Reads the clocks of this host.
    public static func now() -> ClockReading {
        #if canImport(Darwin)
        // Apple's CLOCK_MONOTONIC keeps running during sleep; CLOCK_UPTIME_RAW does not.
        ClockReading(
            wall: .now, boottime: seconds(CLOCK_MONOTONIC_RAW), monotonic: seconds(CLOCK_UPTIME_RAW), boot: thisBoot)
        #else
        ClockReading(wall: .now, boottime: seconds(CLOCK_BOOTTIME), monotonic: seconds(CLOCK_MONOTONIC), boot: thisBoot)
        #endif
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static let thisBoot: String = {
        #if canImport(Darwin)
        var text = [UInt8](repeating: 0, count: 64)
        var length = text.count
        guard sysctlbyname("kern.bootsessionuuid", &text, &length, nil, 0) == 0 else { return "" }
        return String(decoding: text.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
        #else
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return String(text.prefix { !$0.isNewline }.prefix(64))
        #endif
    }()
}
