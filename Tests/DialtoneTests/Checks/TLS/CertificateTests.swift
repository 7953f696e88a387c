// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// The certificates that a client accepts, by handshakes in memory, and the limit of bytes without content from a peer.
@Suite(.real, .timeLimit(.minutes(5)))
struct CertificateTests {
    static let host = "a.b.example.test"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var host = CertificateTests.host
        var isOld = false
        /// The code of the error; nil for a certificate that is accepted.
        let code: ProbeError.Code?
        let identity: @Sendable (TestAuthority) throws -> Identity

        init(
            _ description: String, host: String = CertificateTests.host, isOld: Bool = false,
            _ code: ProbeError.Code?, _ identity: @escaping @Sendable (TestAuthority) throws -> Identity
        ) {
            testDescription = description
            (self.host, self.isOld, self.code, self.identity) = (host, isOld, code, identity)
        }
    }

    static let rows: [Row] = [
        Row("exact name", nil) { try $0.issue(names: [host]) },
        Row("exact name, in capitals", host: "A.B.Example.TEST", nil) { try $0.issue(names: [host]) },
        Row("wildcard of one label", nil) { try $0.issue(names: ["*.b.example.test"]) },
        Row("trailing dot", host: host + ".", nil) { try $0.issue(names: [host]) },
        Row("IPv4 address", host: "192.0.2.1", nil) { try $0.issue(names: [], addresses: ["192.0.2.1"]) },
        Row("IPv6 address", host: "2001:db8::1", nil) { try $0.issue(names: [], addresses: ["2001:db8::1"]) },
        Row("IPv6 address with a zone", host: "fe80::1%eth0", nil) { try $0.issue(names: [], addresses: ["fe80::1"]) },
        Row("xn-- name", host: "xn--bcher-kva.test", nil) { try $0.issue(names: ["xn--bcher-kva.test"]) },
        Row("another name", .wrongCertificateName) { try $0.issue(names: ["b.example.test"]) },
        Row("wildcard over two labels", .wrongCertificateName) { try $0.issue(names: ["*.example.test"]) },
        Row("partial wildcard", host: "probe.example.test", .wrongCertificateName) {
            try $0.issue(names: ["pro*.example.test"])
        },
        Row("common name only", .wrongCertificateName) { try $0.issue(names: [], commonName: host) },
        Row("another address", host: "192.0.2.1", .wrongCertificateName) {
            try $0.issue(names: [], addresses: ["192.0.2.2"])
        },
        Row("an address as a name", host: "192.0.2.1", .wrongCertificateName) { try $0.issue(names: ["192.0.2.1"]) },
        Row("expired", .invalidCertificate) {
            try $0.issue(names: [host], age: TestAuthority.day, lifetime: TestAuthority.hour)
        },
        Row("not valid yet", .invalidCertificate) { try $0.issue(names: [host], age: -TestAuthority.hour) },
        Row("self-signed", .untrustedCertificate) { _ in try Identity.selfSigned(names: [host]) },
        Row("another authority", .untrustedCertificate) { _ in
            try TestAuthority(named: "Another Authority").issue(names: [host])
        },
        Row("TLS 1.1 only", isOld: true, .tlsFailure) { try $0.issue(names: [host]) },
    ]

    /// One authority for all rows: a new anchor makes the client read the system's trust store again.
    static let authority = Result { try TestAuthority(named: "Certificate Tests") }

    /// Exchanges bytes until the client's handshake is complete.
    private func shakeHands(_ client: TLSSession, _ server: TLSSession) throws(TLSFailure) {
        for _ in 0..<20 {
            if try client.handshake() {
                try server.feed(client.drain()[...])
                _ = try server.handshake()
                return
            }
            try server.feed(client.drain()[...])
            // The server's own failure also reaches the client, as an alert.
            _ = try? server.handshake()
            try client.feed(server.drain()[...])
        }
        Issue.record("the handshake does not end")
    }

    @Test(arguments: rows) func `a certificate is accepted or refused for its reason`(row: Row) throws {
        let authority = try Self.authority.get()
        let server = try row.identity(authority).serverSession(isOld: row.isOld)
        let client = try TLSSession(
            clientOf: row.host, additionalTrustAnchors: [authority.identity.certificate])
        var code: ProbeError.Code?
        do throws(TLSFailure) { try shakeHands(client, server) } catch { code = ProbeError.tls(error).code }
        #expect(code == row.code)
    }

    @Test(arguments: [
        ("example.org.", "example.org"), ("example.org", "example.org"), ("fe80::1%eth0", "fe80::1"), (".", "."),
        ("localhost", "localhost"),
    ])
    func `a trailing dot and a zone are not part of the verified name`(host: String, name: String) {
        #expect(TLSSession.verifiedName(of: host) == name)
    }

    @Test func `a peer that sends only key updates is cut off, and its answers do not accumulate`() throws {
        let authority = try Self.authority.get()
        let (near, far) = try Sockets.connectedPair()
        let deadline = TimeSource.system.now + .seconds(60)
        let identity = try authority.issue(names: [Self.host])
        try ThreadStarter.system.start("test.updates") {
            guard let session = try? identity.serverSession() else { return }
            let stream = ByteStream(far)
            guard (try? stream.start(session, until: deadline)) != nil else { return }
            for _ in 0..<20_000 where !session.requestKeyUpdate() { return }
            // About 30 bytes a message; the client ends the session before it has received them all.
            try? stream.send([], until: deadline)
        }
        let client = try TLSSession(
            clientOf: Self.host, additionalTrustAnchors: [authority.identity.certificate])
        let stream = ByteStream(near)
        try stream.start(client, until: deadline)
        do {
            let bytes = try stream.receive(until: deadline)
            Issue.record("received \(bytes.count) bytes")
        } catch ByteStream.Failure.tls(.broken(let words)) {
            #expect(words == "the peer sends protocol messages instead of data")
        }
    }
}
