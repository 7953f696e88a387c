// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

/// The effect of a datagram on the exchange that waits for it.
enum Progress: Hashable {
    /// No message in it answers the request.
    case unrelated
    /// It answers the request, and more messages will follow.
    case more
    /// The answer is complete.
    case finished
}

/// Reads the answers to one request, detects when they are complete, and validates everything in them.
struct Answers {
    private let sequence: UInt32
    private let isDump: Bool
    private let expectsAcknowledgement: Bool
    private let operation: String

    /// Whether the table changed while it was dumped.
    private(set) var isInterrupted = false

    init(to sequence: UInt32, flags: MessageFlags, operation: String) {
        self.sequence = sequence
        isDump = flags.isSuperset(of: .dump)
        expectsAcknowledgement = flags.contains(.acknowledge)
        self.operation = operation
    }

    /// Delivers the messages of a datagram that answer the request.
    ///
    /// - Throws: `kernel` with the kernel's number and message; `truncated` or `malformed` for invalid data.
    mutating func receive(
        _ datagram: RawSpan, read: (MessageHeader, RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> Progress {
        var progress = Progress.unrelated
        var isInterrupted = isInterrupted
        defer { self.isInterrupted = isInterrupted }
        try datagram.forEachMessage { (header, payload) throws(NetlinkError) in
            // Answers to an earlier request that failed half way are ignored, and so is everything after the end.
            guard header.sequence == sequence, progress != .finished else { return }
            progress = .more
            if header.flags.contains(.dumpInterrupted) { isInterrupted = true }
            switch header.type {
            case .noOperation: break
            case .overrun: throw NetlinkError(.overflow, operation: operation)
            case .done:
                progress = .finished
                // An empty payload is the normal end; otherwise it contains a number as an error does.
                guard payload.byteCount > 0 else { break }
                let status: Int32 = try payload.integer(at: 0)
                if status < 0 { throw failure(status, explainedBy: header, payload, from: 4) }
            case .error:
                progress = .finished
                let status: Int32 = try payload.integer(at: 0)
                if status != 0 { throw failure(status, explainedBy: header, payload, from: Self.end(header, payload)) }
            default:
                try read(header, payload)
                if !isDump, !expectsAcknowledgement { progress = .finished }
            }
        }
        return progress
    }

    /// Where an error message's copy of the request ends: after its header, or after the whole request.
    private static func end(_ header: MessageHeader, _ payload: RawSpan) -> Int {
        guard !header.flags.contains(.capped), let echoed = try? payload.integer(at: 4, as: UInt32.self) else {
            return 4 + MessageHeader.size
        }
        // A length beyond the payload leaves no attributes.
        return 4 + aligned(min(Int(clamping: echoed), payload.byteCount))
    }

    /// The kernel's number, and its message (`NLMSGERR_ATTR_MSG`) if there is a readable one.
    private func failure(
        _ status: Int32, explainedBy header: MessageHeader, _ payload: RawSpan, from offset: Int
    ) -> NetlinkError {
        var text: String?
        if header.flags.contains(.acknowledgementAttributes) {
            try? payload.forEachAttribute(from: offset) { (type, value) throws(NetlinkError) in
                if type == Self.messageAttribute { text = value.cString }
            }
        }
        // The kernel's numbers are negative; the smallest integer has no positive counterpart.
        return NetlinkError(
            .kernel, operation: operation, errno: NetlinkError.Errno(rawValue: 0 &- status), message: text)
    }

    /// `NLMSGERR_ATTR_MSG`.
    static let messageAttribute: UInt16 = 1
}

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
