// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The packets of one connection that required an answer, as the kernel counts them.
struct SentPackets: Hashable, Sendable, Encodable {
    /// The number that were answered.
    var answered: Int
    /// The number that were sent again, because no answer came in time.
    var repeated = 0
    /// Those of ``repeated`` that were answered in the end and did not arrive twice, which proves that packets were lost, not
    /// blocked or late.
    var recovered = 0
}

extension SentPackets {
    /// A slower connection repeats packets before their answers can arrive.
    private static let longestRoundTrip = Duration.milliseconds(500)

    /// Adds up what the kernel counts of some connections; nil if it counts nothing.
    init?(_ counts: [Sockets.PacketCounts]) {
        guard !counts.isEmpty else { return nil }
        self.init(answered: 0)
        for count in counts {
            answered += count.answered
            guard count.roundTrip <= Self.longestRoundTrip else { continue }
            repeated += count.repeated
            if count.answered > 0 { recovered += max(count.repeated - count.pending - count.duplicated, 0) }
        }
    }
}
