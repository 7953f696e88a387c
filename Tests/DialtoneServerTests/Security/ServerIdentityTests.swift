// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

struct ServerIdentityTests {
    private let authority: TestAuthority
    private let own: Identity

    init() throws {
        authority = try TestAuthority(named: "Test Authority")
        own = try authority.issueForServer()
    }

    /// An elliptic-curve key, encrypted by `openssl pkcs8 -topk8`.
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAj6XCLNwnipfgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEEp5xiRJ1QYNhiygUM11fq8EgZBr
        nQC/8RUd19ykxlc5ECs3XC8pvrsno1hqmEhUGZW+BN6GzIlJ1MKPcrNh4lgseFFL
        LgRu+2o1xpfpS+ud7K/ozujJdTG2+nosegyBsjESGPImy+Q2tle/uf/JhsqS4vj9
        S/fOM0kEzckUi6nbA6FNK1gU0zn7mRx+ZPn/bDBg2kOu24Yf3h1GawoDRotJp8A=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    @Test func `a certificate, alone or with those of its authorities, and its key are an identity`() throws {
        for certificate in [own.certificate, own.certificate + "\n" + authority.identity.certificate] {
            let identity = try ServerIdentity(certificate, own.key)
            #expect(identity.problem(at: .wall) == nil)
        }
    }

    @Test func `a key of another certificate is refused with the names of both files`() throws {
        let other = try authority.issueForServer()
        let error = #expect(throws: ServiceError.self) { try ServerIdentity(own.certificate, other.key) }
        #expect(error?.kind == .configuration)
        #expect(
            error?.description
                == "cannot use server.key: it is not the private key of the certificate in server.pem")
    }

    @Test func `text that is no certificate or no key is refused with the name of its file`() throws {
        for text in ["", "nonsense", own.key, String(own.certificate.prefix(200))] {
            let error = #expect(throws: ServiceError.self) { try ServerIdentity(text, own.key) }
            #expect(error?.kind == .certificate)
            #expect(error?.description == "cannot use server.pem: it contains no certificate in PEM format")
        }
        for text in ["", "nonsense", own.certificate, String(own.key.prefix(100)), Self.encryptedKey] {
            let error = #expect(throws: ServiceError.self) { try ServerIdentity(own.certificate, text) }
            #expect(error?.kind == .configuration)
            #expect(error?.description.contains("server.key: it contains no private key in PEM format") == true)
        }
    }

    @Test func `a certificate that is not valid now is accepted, and the problem named`() throws {
        let (hour, day) = (TestAuthority.hour, TestAuthority.day)
        let expired = try ServerIdentity(authority.issueForServer(age: day, lifetime: day - hour))
        let early = try ServerIdentity(authority.issueForServer(age: -hour))
        #expect(expired.problem(at: .wall)?.hasPrefix("the certificate in server.pem expired on 20") == true)
        #expect(early.problem(at: .wall)?.hasPrefix("the certificate in server.pem is not valid before 20") == true)
        #expect(early.problem(at: .wall + 2 * Double(hour)) == nil)
    }
}
