// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// Requests to a real TLS server whose certificate is rejected.
@Suite(.requires(.networkNamespaces), .requires(.mounts), .timeLimit(.minutes(5)))
struct CertificateSessionTests {
    /// A certificate, and what a request to its server must report.
    enum Certificate: String, CaseIterable {
        case good, untrusted, selfSigned, otherName, expired, notYetValid

        var code: Int {
            switch self {
            case .good: 0
            case .untrusted, .selfSigned, .otherName: -1202
            case .expired: -1201
            case .notYetValid: -1204
            }
        }

        var sentence: String {
            switch self {
            case .expired: "The server's certificate has expired, or this device's clock is wrong."
            case .notYetValid: "The server's certificate is not valid yet, or this device's clock is wrong."
            default: "The server's certificate is not trusted."
            }
        }

        func issue(by authority: TestAuthority) throws -> Identity {
            let addresses = ["203.0.113.1"]
            return switch self {
            case .good: try authority.issue(names: [], addresses: addresses)
            case .untrusted:
                try TestAuthority(named: "Another Authority").issue(names: [], addresses: addresses)
            case .selfSigned: try Identity.selfSigned(names: ["server.example"])
            case .otherName: try authority.issue(names: ["elsewhere.example"])
            case .expired:
                try authority.issue(
                    names: [], addresses: addresses, age: TestAuthority.day,
                    lifetime: TestAuthority.day - TestAuthority.hour)
            case .notYetValid: try authority.issue(names: [], addresses: addresses, age: -TestAuthority.hour)
            }
        }
    }

    /// Runs a client that trusts one authority, and returns its output.
    private func output(_ certificate: Certificate, _ style: String, _ options: String...) async throws -> [String] {
        let network = try RoutedLab()
        let authority = try TestAuthority(named: "Trusted")
        let internet = try await network.internet.run {
            try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80, httpsPort: 443)
        }
        internet.present(try certificate.issue(by: authority))
        try await network.join()
        let mounts = try await OwnMounts(
            """
            mount -t tmpfs tmpfs /mnt
            printf %s "$1" > /mnt/authority.pem
            mount --bind /mnt/authority.pem /etc/ssl/certs/ca-certificates.crt
            """, [authority.identity.certificate])
        let arguments = [style, "https://203.0.113.1/success.txt", "--texts", "--checks-203.0.113.1"] + options
        let run = try await CommandRun.start(
            mounts.program, mounts.arguments(.sessionClient, arguments), in: network.client)
        #expect(try await run.exitStatus(timeout: .seconds(60)) == 0)
        withExtendedLifetime((internet, mounts)) {}
        return run.output.values
    }

    @Test(arguments: Certificate.allCases, [[], ["--no-wait", "--fail"]])
    func `a rejected certificate has its own code and sentence, and the task does not wait`(
        certificate: Certificate, options: [String]
    ) async throws {
        let style = "data"
        let lines = try await output(certificate, style, options.first ?? "-", options.last ?? "-")
        guard certificate != .good else {
            #expect(lines.contains("status 200 success"))
            return
        }
        #expect(
            lines.prefix(3) == ["begins", "error \(certificate.code) -", "text \(certificate.sentence)"])
        #expect(lines.contains("advice No secure connection"))
    }

    @Test(arguments: Certificate.allCases.filter { $0 != .good })
    func `a requester says that the server could not prove who it is`(certificate: Certificate) async throws {
        let lines = try await output(certificate, "requester-default")
        #expect(
            lines == [
                "begins", "outcome tlsFailure",
                "text No secure connection. The server could not prove who it is. Check this device's date and time, and "
                    + "whether this network can be trusted.",
                "failed", "ends",
            ])
    }
}
#endif
