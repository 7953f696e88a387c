// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// One connection, on its own thread.
struct Connection {
    let stream: ByteStream
    let isSecure: Bool
    let connectionBehavior: ScriptedInternet.Behavior.ConnectionBehavior
    let identity: Identity
    /// Records the request, and returns the response to send.
    let response: (ScriptedInternet.RecordedRequest) -> ScriptedInternet.Response

    /// Longer than any test.
    private static let patience = Duration.seconds(120)
    private static let longestHead = 64 * 1024
    private static let longestBody = 1024 * 1024
    private static let endOfHead = Array("\r\n\r\n".utf8)

    func serve() {
        let deadline = TimeSource.system.now + Self.patience
        switch connectionBehavior {
        case .silent: return waitForEnd(until: deadline)
        case .resetting, .closed:
            try? stream.socket.set(.resetsOnClose)
            return
        default: break
        }
        do {
            if isSecure {
                let session = try identity.serverSession(isOld: connectionBehavior == .oldTLS)
                try stream.start(session, until: deadline)
            }
            guard let request = try readRequest(until: deadline) else { return stream.end() }
            try perform(response(request).kind, until: deadline)
        } catch {
            // The client has gone or does not trust the certificate, which is expected.
            stream.end()
        }
    }

    private func readRequest(until deadline: ContinuousClock.Instant) throws -> ScriptedInternet.RecordedRequest? {
        var head: [UInt8] = []
        while true {
            let bytes = try stream.receive(until: deadline)
            guard !bytes.isEmpty, head.count < Self.longestHead else { return nil }
            // The end of the head may be split over two reads.
            let place = max(head.count - Self.endOfHead.count, 0)
            head += bytes
            // Not a request, but perhaps a TLS handshake at the wrong port, whose client waits for an answer.
            guard head.first.map({ (0x41...0x5a).contains($0) }) ?? false else {
                try stream.send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8), until: deadline)
                return nil
            }
            // A body may follow in the same bytes.
            guard let end = head[place...].firstRange(of: Self.endOfHead)?.upperBound else { continue }
            let request = ScriptedInternet.RecordedRequest(head: Array(head[..<end]), isSecure: isSecure)
            if let request { try readBody(of: request, begun: head.count - end, until: deadline) }
            return request
        }
    }

    /// Reads the request's body: closing with unread bytes would reset the connection.
    private func readBody(
        of request: ScriptedInternet.RecordedRequest, begun: Int, until deadline: ContinuousClock.Instant
    ) throws {
        // A client that expects "100 Continue" sends nothing before it.
        guard request[field: "expect"] == nil, let value = request[field: "content-length"],
            let length = Int(value), length > 0
        else { return }
        var rest = min(length, Self.longestBody) - begun
        while rest > 0 {
            let bytes = try stream.receive(until: deadline)
            if bytes.isEmpty { return }
            rest -= bytes.count
        }
    }

    private func perform(_ kind: ScriptedInternet.Response.Kind, until deadline: ContinuousClock.Instant) throws {
        switch kind {
        case .bytes(let bytes):
            try stream.send(bytes, until: deadline)
            stream.end()
        case .later(let delay, let kind):
            guard stays(until: TimeSource.system.now + delay) else { return }
            try perform(kind, until: deadline)
        case .drip(let bytes, let interval):
            for byte in bytes {
                try stream.send([byte], until: deadline)
                guard stays(until: TimeSource.system.now + interval) else { return }
            }
            stream.end()
        case .endless(let start, let again):
            try stream.send(start, until: deadline)
            let block = Array(repeatElement(again, count: max(1, 16_384 / again.count)).joined())
            while TimeSource.system.now < deadline { try stream.send(block, until: deadline) }
        case .silence: waitForEnd(until: deadline)
        case .reset: try? stream.socket.set(.resetsOnClose)
        }
    }

    /// Waits until a time; returns false if the client disconnects before.
    private func stays(until moment: ContinuousClock.Instant) -> Bool {
        while true {
            do {
                if try stream.receive(until: moment).isEmpty { return false }
            } catch ByteStream.Failure.timedOut {
                return true
            } catch {
                return false
            }
        }
    }

    /// Sends nothing until the client disconnects.
    private func waitForEnd(until deadline: ContinuousClock.Instant) {
        while let bytes = try? stream.receive(until: deadline), !bytes.isEmpty {}
    }
}
