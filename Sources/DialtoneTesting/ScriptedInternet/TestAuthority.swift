//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CTLSLoader

/// What a scripted server cannot do on this system.
public struct ScriptingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What, and why.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A certificate and its key, both PEM.
struct Identity: Hashable, Sendable {
    let certificate: String
    let key: String
}

/// A certificate authority that exists in memory only, for as long as a test lasts.
struct TestAuthority: Sendable {
    let identity: Identity

    init(named name: String) throws(ScriptingError) {
        identity = try Self.make(name, for: nil, issuer: nil, from: -Self.hour, to: Self.day)
    }

    /// Issues a certificate for names and numeric addresses.
    func issue(names: [String], addresses: [String], isExpired: Bool = false) throws(ScriptingError) -> Identity {
        let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        return try Self.make(
            names.first ?? addresses.first ?? "server", for: alternatives.joined(separator: ","), issuer: identity,
            from: isExpired ? -Self.day : -Self.hour, to: isExpired ? -Self.hour : Self.day)
    }

    private static let hour = 3600
    private static let day = 86400

    private static func make(
        _ name: String, for alternatives: String?, issuer: Identity?, from: Int, to: Int
    ) throws(ScriptingError) -> Identity {
        var certificate = [CChar](repeating: 0, count: 8192)
        var key = [CChar](repeating: 0, count: 8192)
        var words = [CChar](repeating: 0, count: 256)
        let result = CTLS_makeCertificate(
            name, alternatives, issuer?.certificate, issuer?.key, from, to, &certificate, certificate.count, &key,
            key.count, &words, words.count)
        guard result == 0 else { throw ScriptingError("no certificate: \(text(words))") }
        return Identity(certificate: text(certificate), key: text(key))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
