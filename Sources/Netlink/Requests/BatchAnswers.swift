//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// Reads the answers to several requests that were sent together: one message or one error for each.
struct BatchAnswers {
    private let first: UInt32
    private var isAnswered: [Bool]
    private var awaited: Int

    /// Expects answers to `count` requests with sequence numbers from `first`.
    init(from first: UInt32, count: Int) {
        self.first = first
        isAnswered = [Bool](repeating: false, count: count)
        awaited = count
    }

    /// Delivers the first answer to each request with the request's index.
    ///
    /// - Throws: `truncated` or `malformed` for invalid data.
    mutating func receive(
        _ datagram: RawSpan, answer: (Int, Result<RouteMessage?, Errno>) -> Void
    ) throws(NetlinkError) -> Progress {
        var progress = Progress.unrelated
        try datagram.forEachMessage { (header, payload) throws(NetlinkError) in
            guard let place = Int(exactly: header.sequence &- first), place < isAnswered.count, !isAnswered[place]
            else { return }
            switch header.type {
            case .noOperation: return
            case .error:
                let status: Int32 = try payload.integer(at: 0)
                answer(place, status == 0 ? .success(nil) : .failure(Errno(rawValue: 0 &- status)))
            case .newRoute: answer(place, .success(try RouteMessage(payload, keepingUnknown: false)))
            default: answer(place, .success(nil))
            }
            isAnswered[place] = true
            awaited -= 1
            progress = awaited == 0 ? .finished : .more
        }
        return progress
    }
}
#endif
