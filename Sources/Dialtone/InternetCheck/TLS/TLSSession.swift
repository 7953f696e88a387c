//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import CTLSLoader

/// One side of a TLS session: bytes in, bytes out, no socket.
///
/// It belongs to the thread that makes it.
package final class TLSSession {
    private let session: OpaquePointer

    /// Makes the client's side, which verifies the certificate's chain and name by the system's trust store.
    ///
    /// - Parameters:
    ///   - host: the name to verify and to send, or a numeric address.
    ///   - anchors: PEM certificates to trust besides the system's.
    package init(clientOf host: String, additionalTrustAnchors anchors: [String]) throws(TLSFailure) {
        let isAddress = HostAddress(host) != nil
        let trust = try TLSTrust.shared(additionalAnchors: anchors)
        session = try Self.make { CTLS_clientCreate(trust.pointer, host, isAddress, $0, $1) }
    }

    /// Makes the server's side with a certificate and its key, both PEM.
    package init(serverCertificate certificate: String, key: String) throws(TLSFailure) {
        session = try Self.make { words, capacity in
            CTLS_serverCreate(certificate, certificate.utf8.count, key, key.utf8.count, words, capacity)
        }
    }

    deinit { CTLS_destroy(session) }

    /// Why this system has no TLS; nil when it has.
    package static var unavailability: String? { CTLS_unavailable().map { String(cString: $0) } }

    /// Takes in what came from the other side.
    package func feed(_ bytes: ArraySlice<UInt8>) throws(TLSFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CTLS_feed(session, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .broken("no memory for what came in") }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// What must go to the other side.
    package func drain() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = CTLS_drain(session, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<Int(count)]
        }
    }

    /// Goes on with the handshake.
    ///
    /// - Returns: whether it is done; else bytes must be exchanged first.
    package func handshake() throws(TLSFailure) -> Bool {
        switch Int(CTLS_handshake(session)) {
        case 0: return true
        case CTLS_wantsMore: return false
        default: throw failure()
        }
    }

    /// Decrypts into a buffer.
    ///
    /// - Returns: how many bytes, 0 when the other side has ended the session; nil when more must come in first.
    package func read(into buffer: inout [UInt8]) throws(TLSFailure) -> Int? {
        switch Int(CTLS_read(session, &buffer, buffer.count)) {
        case let count where count > 0: return count
        case CTLS_wantsMore: return nil
        case CTLS_closed: return 0
        default: throw failure()
        }
    }

    /// Encrypts, to be drained.
    package func write(_ bytes: [UInt8]) throws(TLSFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CTLS_write(session, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// Says goodbye, to be drained.
    package func close() { CTLS_close(session) }

    private func failure() -> TLSFailure {
        let verification = CTLS_verifyResult(session)
        if verification != 0 {
            return .certificate(verification, Self.words { CTLS_verifyText(session, $0, $1) })
        }
        return .broken(Self.words { CTLS_failure(session, $0, $1) })
    }

    static func make(
        _ body: (UnsafeMutablePointer<CChar>?, Int) -> OpaquePointer?
    ) throws(TLSFailure) -> OpaquePointer {
        if let unavailability { throw .unavailable(unavailability) }
        var made: OpaquePointer?
        let words = words { made = body($0, $1) }
        guard let made else { throw .broken(words) }
        return made
    }

    /// The text that a C function writes.
    private static func words(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Void) -> String {
        var text = [CChar](repeating: 0, count: 256)
        text.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
