// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

/// A connection, plain or under TLS, used by one thread.
///
/// Every wait ends with its deadline or its interruption.
package final class ByteStream {
    /// Why a wait or a transfer ended.
    package enum Failure: Error {
        case timedOut, interrupted
        case socket(SystemError)
        case tls(TLSFailure)
    }

    /// The maximum number of bytes without content that the peer may send: more than a record, session tickets and key
    /// updates take.
    private static let longestOverhead = 128 * 1024

    package let socket: any NetworkSocket
    private let sockets: any NetworkSockets
    private var tls: TLSSession?
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    private var wasLate = false

    /// Creates a stream over a connection.
    ///
    /// - Parameter sockets: waits for the connection.
    package init(_ socket: any NetworkSocket, _ sockets: any NetworkSockets = KernelSockets()) {
        self.socket = socket
        self.sockets = sockets
    }

    /// Performs a client's handshake with a host; everything after it is under TLS.
    ///
    /// - Parameters:
    ///   - anchors: PEM certificates to trust besides the system's.
    ///   - acceptsAnyCertificate: whether the handshake is completed with any certificate; no data may be sent then.
    func start(
        clientOf host: String, trusting anchors: [String] = [], acceptsAnyCertificate: Bool = false,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        while let handshake = socket.handshake(with: host) {
            switch handshake {
            case .underWay: try wait(readable: [socket], until: deadline)
            case .refused(let number, let words) where !acceptsAnyCertificate: throw .tls(.certificate(number, words))
            case .trusted, .refused: return
            case .broken(let words): throw .tls(.broken(words))
            case .failed(let error): throw .socket(error)
            }
        }
        let session = try Self.translating { () throws(TLSFailure) in
            try TLSSession(clientOf: host, additionalTrustAnchors: anchors)
        }
        if acceptsAnyCertificate { session.acceptAnyCertificate() }
        try start(session, until: deadline)
    }

    /// Performs the handshake of a session; everything after it is under TLS.
    package func start(_ session: TLSSession, until deadline: ContinuousClock.Instant) throws(Failure) {
        while true {
            let isDone: Bool
            do throws(TLSFailure) {
                isDone = try session.handshake()
            } catch {
                // The alert with the reason is sent without waiting; the peer may be gone.
                _ = try? socket.send(session.drain()[...])
                throw .tls(error)
            }
            try sendRaw(session.drain()[...], until: deadline)
            if isDone { break }
            let count = try receiveRaw(until: deadline)
            guard count > 0 else { throw .tls(.broken("the connection ended in the handshake")) }
            try Self.translating { () throws(TLSFailure) in try session.feed(buffer[..<count]) }
        }
        tls = session
    }

    package func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(Failure) {
        guard let tls else { return try sendRaw(bytes[...], until: deadline) }
        try Self.translating { () throws(TLSFailure) in try tls.write(bytes) }
        try sendRaw(tls.drain()[...], until: deadline)
    }

    /// Receives some bytes; none if the peer has ended the connection.
    package func receive(until deadline: ContinuousClock.Instant) throws(Failure) -> ArraySlice<UInt8> {
        guard let tls else { return buffer[..<(try receiveRaw(until: deadline))] }
        var plain = [UInt8](repeating: 0, count: 16 * 1024)
        var overhead = 0
        while true {
            let count = try Self.translating { () throws(TLSFailure) in try tls.read(into: &plain) }
            // Reading may produce messages, such as the answer to a key update. They must not accumulate.
            let messages = tls.drain()
            if !messages.isEmpty { try sendRaw(messages[...], until: deadline) }
            if let count { return plain[..<count] }
            let received = try receiveRaw(until: deadline)
            guard received > 0 else { return [] }
            overhead += received
            guard overhead <= Self.longestOverhead else {
                throw .tls(.broken("the peer sends protocol messages instead of data"))
            }
            try Self.translating { () throws(TLSFailure) in try tls.feed(buffer[..<received]) }
        }
    }

    /// Closes both directions, after a closing alert that is sent without waiting.
    package func end() {
        if let tls {
            tls.close()
            _ = try? socket.send(tls.drain()[...])
        }
        socket.endBothWays()
    }

    private func receiveRaw(until deadline: ContinuousClock.Instant) throws(Failure) -> Int {
        while true {
            try wait(readable: [socket], until: deadline)
            let count = try Self.translating { () throws(SystemError) in try socket.receive(into: &buffer) }
            if let count { return count }
        }
    }

    private func sendRaw(_ bytes: ArraySlice<UInt8>, until deadline: ContinuousClock.Instant) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try Self.translating { () throws(SystemError) in try socket.send(rest) }
            if let count {
                rest = rest.dropFirst(count)
            } else {
                try wait(writable: [socket], until: deadline)
            }
        }
    }

    private func wait(
        readable: [any NetworkSocket] = [], writable: [any NetworkSocket] = [],
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        switch sockets.wait(readable: readable, writable: writable, until: deadline).outcome {
        case .ready: wasLate = false
        // What arrived in time counts, even if the thread runs late, but a peer may send without pause.
        case .late where !wasLate: wasLate = true
        case .late, .timedOut: throw .timedOut
        case .interrupted: throw .interrupted
        }
    }

    private static func translating<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .socket(error) }
    }

    private static func translating<Value>(_ body: () throws(TLSFailure) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw .tls(error) }
    }
}
