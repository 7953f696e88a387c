// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// The loss and the round trips of a hop in a minute or an hour.
package struct HopPeriod: Hashable, Sendable {
    /// The start of the period: a whole multiple of its length since 1970.
    package let start: Date
    /// The length of the period in seconds.
    package let length: Double
    package let hop: HeartbeatHop
    package let statistics: HopStatistics
}

extension HopStatistics {
    /// The round trips in seconds.
    package var seconds: (minimum: Double?, median: Double?, maximum: Double?) {
        (minimum.map { $0 / .seconds(1) }, median.map { $0 / .seconds(1) }, maximum.map { $0 / .seconds(1) })
    }
}

extension HopMinute {
    /// The periods of the hops, in order.
    var periods: [HopPeriod] {
        HeartbeatHop.allCases.compactMap { hop in
            hops[hop].map { HopPeriod(start: start, length: 60, hop: hop, statistics: $0) }
        }
    }
}
