// SPDX-License-Identifier: Apache-2.0

/// The certificates that the server can present.
struct Identities: Sendable {
    /// The authority that a check must trust.
    let trusted: Identity
    private let good: Identity
    private let untrusted: Identity
    private let misnamed: Identity
    private let expired: Identity
    private let selfSigned: Identity
    private let commonNameOnly: Identity

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
        trusted = authority.identity
        good = try authority.issue(names: names, addresses: [address])
        untrusted = try stranger.issue(names: names, addresses: [address])
        misnamed = try authority.issue(names: ["elsewhere.test"])
        expired = try authority.issue(
            names: names, addresses: [address], age: TestAuthority.day, lifetime: TestAuthority.day - TestAuthority.hour
        )
        selfSigned = try Identity.selfSigned(names: names)
        commonNameOnly = try authority.issue(names: [], commonName: names.last)
    }

    subscript(door: ScriptedInternet.Scene.Door) -> Identity {
        switch door {
        case .untrusted: untrusted
        case .misnamed: misnamed
        case .expired: expired
        case .selfSigned: selfSigned
        case .commonNameOnly: commonNameOnly
        case .open, .silent, .resetting, .closed, .oldTLS: good
        }
    }
}
