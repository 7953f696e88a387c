// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Decides which TLS handshakes of a check begin at once.
///
/// On a slow line, the certificates of all operators together take seconds, and delay the answers that show that it works. Therefore
/// two handshakes begin, and the others when one has ended. A connection that is accepted soon shows that the line is not slow.
struct HandshakeWindow: Sendable {
    private var begun = 0
    /// Whether a handshake has ended, so that all others may begin.
    private(set) var isOpen = false

    /// The number of handshakes that begin in any case.
    private static let size = 2
    /// The time within which a line that is not slow carries the packets of all connections to hosts that are not far away.
    private static let fastConnection = Duration.milliseconds(100)

    /// Whether a handshake begins whose connection was accepted after a time.
    mutating func begins(after connection: Duration) -> Bool {
        guard isOpen || begun < Self.size || connection <= Self.fastConnection else { return false }
        begun += 1
        return true
    }

    /// Notes that a handshake has ended.
    mutating func end() { isOpen = true }

    /// The time for which a handshake waits for the end of another one: a far host needs three round trips for it and the answer.
    static func patience(after connection: Duration) -> Duration { min(connection * 8, .seconds(2)) }
}

/// Lets the TLS handshakes of a check wait for each other.
final class HandshakePace: Sendable {
    private let state = Mutex((window: HandshakeWindow(), waiting: [AsyncStream<Never>.Continuation]()))

    /// Whether a handshake begins at once whose connection was accepted after a time.
    func begins(after connection: Duration) -> Bool { state.withLock { $0.window.begins(after: connection) } }

    /// Waits until another handshake has ended, but not for long.
    func wait(after connection: Duration, on time: TimeSource) async {
        let (ends, continuation) = AsyncStream.makeStream(of: Never.self)
        state.withLock { state in
            if state.window.isOpen { continuation.finish() } else { state.waiting.append(continuation) }
        }
        let end = time.now + HandshakeWindow.patience(after: connection)
        await firstAnswer(until: end, on: time, late: (), cancelled: ()) { for await _ in ends {} }
    }

    /// Notes that a handshake has ended.
    func end() {
        let waiting = state.withLock { state in
            state.window.end()
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }
}
