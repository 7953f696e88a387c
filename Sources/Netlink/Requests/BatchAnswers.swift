// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Reads the answers to several requests that were sent together: one message or one error for each.
struct BatchAnswers {
    private let first: UInt32
    private let count: Int
    /// A bit for each request.
    private var answered: UInt64 = 0
    private var awaited: Int

    /// Expects answers to `count` requests, at most 64, with sequence numbers from `first`.
    init(from first: UInt32, count: Int) {
        self.first = first
        self.count = count
        awaited = count
    }

    /// Delivers the first answer to each request with the request's index.
    ///
    /// - Throws: `truncated` or `malformed` for invalid data, or the error of `answer`.
    mutating func receive(
        _ datagram: RawSpan, answer: (Int, MessageHeader, RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> Progress {
        var progress = Progress.unrelated
        try datagram.forEachMessage { (header, payload) throws(NetlinkError) in
            guard let place = Int(exactly: header.sequence &- first), place < count, answered >> place & 1 == 0,
                header.type != .noOperation
            else { return }
            try answer(place, header, payload)
            answered |= 1 << place
            awaited -= 1
            progress = awaited == 0 ? .finished : .more
        }
        return progress
    }
}
#endif
