// SPDX-License-Identifier: Apache-2.0

import LibC

#if !canImport(Darwin)
import CLinux
#endif

extension Sockets {
    /// The packets of a TCP connection that needed an answer: the first one, and those with data.
    package struct PacketCounts: Hashable, Sendable {
        /// Packets that were answered.
        package let answered: Int
        /// Packets that were sent again, because no answer came in time.
        package let repeated: Int
        /// Those sent again since the last answer.
        package let pending: Int
        /// Packets that arrived twice, since they were sent again too early.
        package let duplicated: Int
        /// The shortest time from a packet to its answer.
        package let roundTrip: Duration

        package init(answered: Int, repeated: Int, pending: Int, duplicated: Int, roundTrip: Duration) {
            self.answered = answered
            self.repeated = repeated
            self.pending = pending
            self.duplicated = duplicated
            self.roundTrip = roundTrip
        }
    }

    /// The counts of a connection, or of an attempt to connect; nil where the kernel has none.
    package static func packetCounts(_ descriptor: Descriptor) -> PacketCounts? {
        #if canImport(Darwin)
        return nil
        #else
        var counts = CLinux_TCPCounts()
        guard unsafe CLinux_tcpCounts(descriptor.number, &counts) == 0 else { return nil }
        return PacketCounts(
            answered: Int(counts.delivered), repeated: Int(counts.repeated), pending: Int(counts.pending),
            duplicated: Int(counts.duplicated), roundTrip: .microseconds(counts.roundTrip))
        #endif
    }

    /// Limits the segments of a connection, in both directions, before it is made: `TCP_MAXSEG` (tcp(7)).
    package static func limitSegments(_ descriptor: Descriptor, to bytes: Int32) throws(SystemError) {
        try setOption(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, bytes)
    }
}
