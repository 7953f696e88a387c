// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneTesting
import Foundation
import Synchronization

@testable import DialtoneServer

/// A TLS connection to a server, by the system's TLS library, which is not the server's.
///
/// Its methods run on separate threads, one at a time, so that tests never block the server.
final class TLSClient: Sendable {
    private let connection: RawClient
    private let session: Mutex<TLSSession>
    private let text = Mutex("")

    /// Completes a handshake over a connection.
    ///
    /// - Parameter authority: the authority that must have issued the server's certificate.
    init(_ connection: RawClient, trusting authority: TestAuthority) async throws {
        self.connection = connection
        let anchors = [authority.identity.certificate]
        session = Mutex(try TLSSession(clientOf: "localhost", additionalTrustAnchors: anchors))
        try await RawClient.onThread { [self] in
            while true {
                let isComplete = try session.withLock { try $0.handshake() }
                try transmit()
                if isComplete { return }
                guard try receive() else { throw RawClient.Trouble(description: "the end came in the handshake") }
            }
        }
    }

    /// Connects to a port of 127.0.0.1.
    convenience init(_ port: UInt16, trusting authority: TestAuthority) async throws {
        try await self.init(RawClient(port), trusting: authority)
    }

    func send(_ text: String) async throws {
        try await RawClient.onThread { [self] in
            try session.withLock { try $0.write(Array(text.utf8)) }
            try transmit()
        }
    }

    /// Reads until a text arrives, and returns everything up to its end.
    func read(until end: String) async throws -> String {
        try await RawClient.onThread { [self] in
            while true {
                let found = text.withLock { text -> String? in
                    guard let range = text.range(of: end) else { return nil }
                    defer { text.removeSubrange(..<range.upperBound) }
                    return String(text[..<range.upperBound])
                }
                if let found { return found }
                guard try fill() else {
                    throw RawClient.Trouble(description: "the end came before '\(end)', after \(text.withLock(\.self))")
                }
            }
        }
    }

    /// Reads to the end of the session.
    func readToEnd() async throws -> String {
        try await RawClient.onThread { [self] in
            while try fill() {}
            return text.withLock { text in
                defer { text = "" }
                return text
            }
        }
    }

    private func fill() throws -> Bool {
        while true {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = try session.withLock { try $0.read(into: &chunk) }
            if let count {
                text.withLock { $0 += String(decoding: chunk[..<count], as: UTF8.self) }
                return count > 0
            }
            guard try receive() else { return false }
        }
    }

    private func transmit() throws {
        try connection.send(session.withLock { $0.drain() })
    }

    private func receive() throws -> Bool {
        let bytes = try connection.receive()
        try session.withLock { try $0.feed(bytes[...]) }
        return !bytes.isEmpty
    }

    /// Sends one request over its own connection.
    static func ask(
        _ port: UInt16, trusting authority: TestAuthority, method: String = "GET", _ target: String,
        _ fields: [String: String] = [:], body: String = ""
    ) async throws -> Reply {
        let client = try await TLSClient(port, trusting: authority)
        let fields = ["Connection": "close"].merging(fields) { $1 }
        try await client.send(RawClient.text(port, method, target, fields, body))
        return Reply(try await client.readToEnd())
    }
}

extension TestAuthority {
    /// Issues a certificate for a server on this machine.
    ///
    /// - Parameters:
    ///   - age: how long ago it became valid, in seconds.
    ///   - lifetime: how long it is valid, in seconds.
    func issueForServer(age: Int = hour, lifetime: Int = day) throws -> Identity {
        try issue(names: ["localhost"], addresses: ["127.0.0.1"], age: age, lifetime: lifetime)
    }
}

extension ServerIdentity {
    /// An identity as if it had been read from `server.pem` and `server.key`.
    init(_ identity: Identity) throws {
        try self.init(identity.certificate, identity.key)
    }

    /// An identity from PEM texts, as if they had been read from `server.pem` and `server.key`.
    init(_ certificate: String, _ key: String) throws(ServiceError) {
        try self.init(
            certificate: Array(certificate.utf8), at: "server.pem", key: Array(key.utf8), at: "server.key")
    }
}
