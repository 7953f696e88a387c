// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Decides when a connection is closed because its client takes too long, and which responses end it; a value without clock and
/// network.
///
/// Its inputs are the events of one connection, with their times by `TimeSource.Moment.boottime`.
struct ConnectionMachine: Sendable {
    private let limits: ServerLimits
    /// The time at which the connection is closed; nil while nothing is expected from the client.
    private(set) var deadline: Duration?
    /// The requests that have begun and are not answered.
    private var requests = 0
    /// Whether the head of a request has arrived, and its body has not.
    private var isInBody = false
    /// Whether bytes of a next request have arrived, but not its head.
    private var isInHead = false
    /// Whether the bytes that the decoder has, or had last, contain the end of a head.
    private var hasHead = false
    /// Whether the connection ends after the requests that have begun; further ones are dropped.
    private var isEnding = false
    /// Whether the current response is a stream, which may last for any time as long as the client reads it.
    private var isStreaming = false
    /// The parts of the stream that the kernel has not accepted yet.
    private var unsentParts = 0

    init(_ limits: ServerLimits) { self.limits = limits }

    // MARK: Requests

    /// Handles the beginning of the connection.
    ///
    /// - Parameter isAdmitted: whether there is room for it; otherwise it is closed at once.
    mutating func opened(isAdmitted: Bool, at now: Duration) {
        isEnding = !isAdmitted
        deadline = isAdmitted ? now + limits.requestTime : nil
    }

    /// Handles bytes, before the decoder gets them.
    ///
    /// The time limit counts from a request's first byte; more bytes do not extend it.
    ///
    /// - Returns: whether the decoder gets the bytes. It stores those that it does not read, without a limit.
    mutating func received(at now: Duration) -> Bool {
        hasHead = false
        if requests == 0, !isInHead, !isEnding {
            isInHead = true
            deadline = now + limits.requestTime
        }
        return isReading
    }

    /// Handles the end of the decoder's work on these bytes.
    ///
    /// Empty lines without a head, which the decoder skips, are the beginning of a request.
    ///
    /// - Parameter endsInEmptyLine: whether the bytes end as the head of a request does. What follows a body is not looked at,
    ///   because a connection ends after a request with a body.
    mutating func decoded(endsInEmptyLine: Bool) { isInHead = !isInBody && !(hasHead && endsInEmptyLine) }

    /// Whether what the decoder returns belongs to a request that is answered.
    var isReading: Bool { !isEnding || isInBody }

    /// Handles the head of a request.
    ///
    /// - Parameter isLast: whether the connection ends after it.
    mutating func requestBegan(isLast: Bool) {
        requests += 1
        hasHead = true
        isInBody = true
        if isLast { isEnding = true }
    }

    /// Handles the end of a request.
    mutating func requestEnded(at now: Duration) {
        isInBody = false
        if requests == 1 { wait(at: now) }
    }

    /// Handles a request that is malformed or too large.
    ///
    /// - Returns: whether to respond to it: the response to an earlier request is not interrupted.
    mutating func requestFailed() -> Bool {
        defer {
            isInBody = false
            isEnding = true
        }
        return requests == 0 && !isEnding
    }

    /// Whether the connection is closed when the client ends its side.
    ///
    /// Such a client still gets the response to its request, but a stream ends.
    var endsWithInput: Bool { requests == 0 || isStreaming || isEnding }

    // MARK: Responses

    /// Handles the head of a response.
    ///
    /// The time limit covers the whole response, or each part of a stream.
    ///
    /// - Parameter isLast: whether the connection ends after it in any case.
    /// - Returns: whether the connection continues after the response.
    mutating func responseBegan(isStream: Bool, isLast: Bool, at now: Duration) -> Bool {
        isStreaming = isStream
        if isStream || isLast { isEnding = true }
        if isStream { partBegan(at: now) } else { deadline = now + limits.writeTime }
        return !(isEnding && requests == 1)
    }

    /// Handles a part of a response that is written.
    mutating func partBegan(at now: Duration) {
        guard isStreaming else { return }
        if unsentParts == 0 { deadline = now + limits.writeTime }
        unsentParts += 1
    }

    /// Handles a part of a response that the kernel has accepted.
    ///
    /// Of a stream, the client owes nothing until the next part is written.
    mutating func partSent(at now: Duration) {
        guard isStreaming else { return }
        unsentParts -= 1
        deadline = unsentParts == 0 ? nil : now + limits.writeTime
    }

    /// Handles a response that the kernel has accepted.
    ///
    /// - Returns: whether this side of the connection ends now; if not, the next request may follow.
    mutating func responseSent(at now: Duration) -> Bool {
        requests -= 1
        let isLast = isStreaming || isEnding && requests == 0
        if !isLast { wait(at: now) }
        isStreaming = false
        unsentParts = 0
        return isLast
    }

    /// Handles the end of this side of the connection: the client has a moment to read the response, and to end its side.
    mutating func ended(at now: Duration) { deadline = now + limits.lingerTime }

    /// Handles the end of the connection.
    mutating func closed() { deadline = nil }

    /// Whether the connection waits for a request or for the rest of one.
    var isWaiting: Bool { requests <= (isInBody ? 1 : 0) }

    /// Sets the time limit between responses; the handler of requests limits its own time.
    private mutating func wait(at now: Duration) {
        deadline = isWaiting ? now + (isInBody || isInHead ? limits.requestTime : limits.idleTime) : nil
    }
}
