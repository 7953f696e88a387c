// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import SystemSupport

/// Many listeners, read by one thread.
final class Crowd: Sendable {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        /// The last bytes that each listener received.
        var tails: [Int32: Data] = [:]
        var lost = 0
    }

    private let clients: [RawClient]
    private let state = Mutex(State())

    /// The number of listeners that lost their connection.
    var lost: Int { state.withLock { $0.lost } }

    /// Connects the listeners and requests the event stream.
    init(_ count: Int, port: UInt16) throws {
        clients = try (0..<count).map { _ in
            let client = try RawClient(port)
            try client.send(RawClient.text(port, "GET", "/events"))
            return client
        }
    }

    /// Waits until each listener has received a text, and discards everything before it.
    func wait(for text: String, timeout: Duration = .seconds(120)) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { [self] in
                continuation.resume(with: Result { try read(until: text, timeout: timeout) })
            }
        }
    }

    private func read(until text: String, timeout: Duration) throws {
        let end = TimeSource.system.now + timeout
        var waiting = Set(clients.map(\.descriptor))
        while !waiting.isEmpty {
            guard TimeSource.system.now < end else {
                throw Trouble(description: "\(waiting.count) did not get '\(text)'")
            }
            var polls = waiting.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), 1000) > 0 else { continue }
            for entry in polls where entry.revents != 0 && take(entry.fd, looking: text) { waiting.remove(entry.fd) }
        }
    }

    /// Reads the bytes for one listener, and discards all but a possible beginning of the text.
    ///
    /// - Returns: whether it no longer needs to be waited for.
    private func take(_ descriptor: Int32, looking text: String) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        return state.withLock { state in
            guard count > 0 else {
                state.lost += 1
                return true
            }
            let all = (state.tails[descriptor] ?? Data()) + chunk[..<count]
            let found = all.range(of: Data(text.utf8))
            state.tails[descriptor] = found.map { Data(all[$0.upperBound...]) } ?? Data(all.suffix(text.utf8.count))
            return found != nil
        }
    }
}
