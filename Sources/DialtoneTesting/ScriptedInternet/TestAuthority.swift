// SPDX-License-Identifier: Apache-2.0

import CTLSTesting
package import Dialtone

/// Why a scripted server cannot run on this system.
public struct ScriptingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line with the reason.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A certificate and its key, both PEM.
package struct Identity: Hashable, Sendable {
    package let certificate: String
    package let key: String

    /// Creates a certificate that is signed with its own key.
    package static func selfSigned(names: [String]) throws(ScriptingError) -> Identity {
        try TestAuthority.make(names.first ?? "server", for: TestAuthority.alternatives(names, []), issuer: nil)
    }

    /// The server side of a TLS session with this certificate.
    ///
    /// - Parameter isOld: speak TLS 1.1 at most.
    package func serverSession(isOld: Bool = false) throws(TLSFailure) -> TLSSession {
        unsafe TLSSession(
            owning: try TLSSession.make { unsafe CTLSTesting_serverCreate(certificate, key, isOld, $0, $1) })
    }
}

extension TLSSession {
    /// Adds a request for a key update (TLS 1.3) to the next `drain()`; returns false if that is not possible.
    package func requestKeyUpdate() -> Bool { unsafe CTLSTesting_requestKeyUpdate(session) }
}

/// A certificate authority that exists in memory only, for as long as a test lasts.
package struct TestAuthority: Sendable {
    package let identity: Identity

    package init(named name: String) throws(ScriptingError) {
        identity = try Self.make(name, for: nil, issuer: nil)
    }

    /// Issues a certificate for names and numeric addresses; without any, only its common name names the host.
    ///
    /// - Parameters:
    ///   - commonName: the subject's common name; if nil, the first name.
    ///   - age: how long ago it became valid, in seconds; negative for a certificate that is not valid yet.
    ///   - lifetime: how long it is valid, in seconds.
    package func issue(
        names: [String], addresses: [String] = [], commonName: String? = nil, age: Int = hour, lifetime: Int = day
    ) throws(ScriptingError) -> Identity {
        try Self.make(
            commonName ?? names.first ?? addresses.first ?? "server", for: Self.alternatives(names, addresses),
            issuer: identity, from: -age, to: lifetime - age)
    }

    // In seconds.
    package static let hour = 3600
    package static let day = 86400

    static func alternatives(_ names: [String], _ addresses: [String]) -> String? {
        let all = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        return all.isEmpty ? nil : all.joined(separator: ",")
    }

    static func make(
        _ name: String, for alternatives: String?, issuer: Identity?, from: Int = -hour, to: Int = day
    ) throws(ScriptingError) -> Identity {
        var certificate = [CChar](repeating: 0, count: 8192)
        var key = [CChar](repeating: 0, count: 8192)
        var words = [CChar](repeating: 0, count: 256)
        let result = unsafe CTLSTesting_makeCertificate(
            name, alternatives, issuer?.certificate, issuer?.key, from, to, &certificate, certificate.count, &key,
            key.count, &words, words.count)
        guard result == 0 else { throw ScriptingError("no certificate: \(text(words))") }
        return Identity(certificate: text(certificate), key: text(key))
    }

    static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The certificates that the server can present.
struct Identities: Sendable {
    /// The authority that a check must trust.
    let trusted: Identity
    private let good: Identity
    private let bad: [ScriptedInternet.Behavior.ConnectionBehavior: Identity]

    /// One pair for all servers of the process: a check rereads the system's trust store for each new anchor.
    private static let authorities = Result { () throws(ScriptingError) in
        (
            trusted: try TestAuthority(named: "Scripted Internet"),
            stranger: try TestAuthority(named: "Another Authority")
        )
    }

    init(names: [String], address: String) throws(ScriptingError) {
        let authority = try Self.authorities.get().trusted
        let stranger = try Self.authorities.get().stranger
        // Those of public resolvers have certificates, too.
        let addresses = [address] + [NetworkAddress].publicResolvers.map { "\($0)" }
        trusted = authority.identity
        good = try authority.issue(names: names, addresses: addresses)
        bad = [
            .untrusted: try stranger.issue(names: names, addresses: addresses),
            .misnamed: try authority.issue(names: ["elsewhere.test"]),
            .expired: try authority.issue(
                names: names, addresses: [address], age: TestAuthority.day,
                lifetime: TestAuthority.day - TestAuthority.hour),
            .selfSigned: try Identity.selfSigned(names: names),
            .commonNameOnly: try authority.issue(names: [], commonName: names.last),
        ]
    }

    subscript(connectionBehavior: ScriptedInternet.Behavior.ConnectionBehavior) -> Identity {
        bad[connectionBehavior] ?? good
    }
}
