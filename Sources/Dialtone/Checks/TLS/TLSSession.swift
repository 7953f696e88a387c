// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SystemSupport

/// One side of a TLS session: bytes in, bytes out, no socket.
///
/// One thread uses it at a time.
@safe package final class TLSSession {
    package let session: OpaquePointer

    /// Creates a client session that verifies the certificate's chain and name against the system's trust store.
    ///
    /// - Parameters:
    ///   - host: the name to verify and to send, or a numeric address. A trailing dot and a zone belong to neither (RFC 6066).
    ///   - anchors: PEM certificates to trust besides the system's.
    package init(clientOf host: String, additionalTrustAnchors anchors: [String]) throws(TLSFailure) {
        let name = Self.verifiedName(of: host)
        let isAddress = NetworkAddress(name) != nil
        let trust = try TLSTrust.shared(additionalAnchors: anchors)
        unsafe session = try unsafe Self.make { unsafe COpenSSL_clientCreate(trust.pointer, name, isAddress, $0, $1) }
    }

    /// Wraps a session of `COpenSSL`, which this object then owns.
    package init(owning session: OpaquePointer) { unsafe self.session = unsafe session }

    /// The host without a zone and without the dot of an absolute name.
    static func verifiedName(of host: String) -> String {
        let name = host.prefix { $0 != "%" }
        return String(name.count > 1 && name.hasSuffix(".") ? name.dropLast() : name)
    }

    deinit { unsafe COpenSSL_destroy(session) }

    /// Why this system has no TLS; nil when it has.
    static var unavailability: String? { unsafe COpenSSL_unavailable().map { unsafe String(cString: $0) } }

    /// Adds bytes received from the peer.
    package func feed(_ bytes: ArraySlice<UInt8>) throws(TLSFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe COpenSSL_feed(session, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .broken("out of memory") }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// The bytes to send to the peer.
    package func drain() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe COpenSSL_drain(session, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<Int(count)]
        }
    }

    /// Continues the handshake.
    ///
    /// - Returns: whether it is complete; if not, bytes must be exchanged first.
    package func handshake() throws(TLSFailure) -> Bool {
        switch unsafe Int(COpenSSL_handshake(session)) {
        case 0: return true
        case COpenSSL_wantsMore: return false
        default: throw failure()
        }
    }

    /// Decrypts into a buffer.
    ///
    /// - Returns: the number of bytes, 0 when the peer has ended the session; nil when more bytes from the peer are needed.
    package func read(into buffer: inout [UInt8]) throws(TLSFailure) -> Int? {
        switch unsafe Int(COpenSSL_read(session, &buffer, buffer.count)) {
        case let count where count > 0: return count
        case COpenSSL_wantsMore: return nil
        case COpenSSL_closed: return 0
        default: throw failure()
        }
    }

    /// Encrypts; the result is part of the next `drain()`.
    package func write(_ bytes: [UInt8]) throws(TLSFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe COpenSSL_write(session, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure() }
            rest = rest.dropFirst(Int(count))
        }
    }

    /// Adds the closing alert to the next `drain()`.
    func close() { unsafe COpenSSL_close(session) }

    /// Completes the handshake with any certificate, to inspect it: see ``certificateFailure``.
    ///
    /// No data may be exchanged in such a session.
    func acceptAnyCertificate() { unsafe COpenSSL_acceptAnyCertificate(session) }

    /// Why the peer's certificate is refused; nil for one that is valid, trusted and for this host.
    var certificateFailure: TLSFailure? {
        let verification = unsafe COpenSSL_verifyResult(session)
        guard verification != 0 else { return nil }
        return unsafe .certificate(verification, Self.words { unsafe COpenSSL_verifyText(session, $0, $1) })
    }

    /// The time until which the peer's certificate is valid; nil before the handshake.
    var certificateExpiry: Date? {
        var seconds: CLongLong = 0
        guard unsafe COpenSSL_certificateExpiry(session, &seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private func failure() -> TLSFailure {
        unsafe certificateFailure ?? .broken(Self.words { unsafe COpenSSL_failure(session, $0, $1) })
    }

    /// Calls a function that creates a session or a trust store, and writes the reason if it returns nil.
    package static func make(
        _ body: (UnsafeMutablePointer<CChar>?, Int) -> OpaquePointer?
    ) throws(TLSFailure) -> OpaquePointer {
        if let unavailability { throw .unavailable(unavailability) }
        var made: OpaquePointer?
        let words = unsafe words { unsafe made = unsafe body($0, $1) }
        guard let made = unsafe made else { throw .broken(words) }
        return unsafe made
    }

    /// The text that a C function writes.
    private static func words(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Void) -> String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe text.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress, $0.count) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Why a TLS session failed.
package enum TLSFailure: Error, Hashable, Sendable {
    /// The system has no TLS library or no CA certificates.
    case unavailable(String)
    /// The certificate was refused: OpenSSL's number (`X509_V_ERR_…`) and text.
    case certificate(Int, String)
    /// The handshake or the session failed, in OpenSSL's words.
    case broken(String)
}
