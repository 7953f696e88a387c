// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone

/// Reading the certificate of a server, good or bad.
@Suite(.real, .timeLimit(.minutes(5)))
struct ServerCertificateTests {
    private static let authority = Result { try TestAuthority(named: "Server Certificate Tests") }

    private func read(_ internet: ScriptedInternet) async throws -> ServerCertificate? {
        let port = try #require(try HostTarget(internet.https).port)
        return await ServerCertificate.read(
            of: "127.0.0.1", at: NetworkAddress(127, 0, 0, 1), port: port,
            trusting: [internet.trustAnchor, try Self.authority.get().identity.certificate], timeout: .seconds(30))
    }

    @Test func `the expiry of a valid certificate is read, and nothing else is sent`() async throws {
        let internet = try ScriptedInternet()
        let identity = try Self.authority.get().issue(
            names: [], addresses: ["127.0.0.1"], age: 0, lifetime: 10 * TestAuthority.day)
        let start = Date.wall
        internet.present(identity)
        let certificate = try #require(try await read(internet))
        #expect(certificate.problem == nil)
        let seconds = try #require(certificate.expiry).timeIntervalSince(start)
        #expect((864_000 - 60...864_000 + 60).contains(seconds), "\(seconds)")
        #expect(internet.requests.isEmpty && internet.connections == 1)
    }

    @Test(
        arguments: [
            (.untrusted, .untrustedCertificate, true), (.misnamed, .wrongCertificateName, true),
            (.expired, .invalidCertificate, true), (.selfSigned, .untrustedCertificate, true),
            (.oldTLS, .tlsFailure, false),
        ] as [(ScriptedInternet.Behavior.ConnectionBehavior, ProbeError.Code, Bool)])
    func `a bad certificate has a problem, and still an expiry`(
        behavior: ScriptedInternet.Behavior.ConnectionBehavior, code: ProbeError.Code, hasExpiry: Bool
    ) async throws {
        let certificate = try #require(try await read(try ScriptedInternet(.init(https: behavior))))
        #expect(certificate.problem?.code == code)
        #expect((certificate.expiry != nil) == hasExpiry)
        if behavior == .expired { #expect(try #require(certificate.expiry) < .wall) }
    }

    @Test func `a server that refuses the connection says nothing about its certificate`() async throws {
        #expect(try await read(try ScriptedInternet(.init(https: .closed))) == nil)
    }
}
