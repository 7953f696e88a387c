//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The certificates that the server can show.
struct Identities: Sendable {
    /// The authority that a check is told to trust.
    let trusted: Identity
    private let good: Identity
    private let untrusted: Identity
    private let misnamed: Identity
    private let expired: Identity

    /// The same for all servers of the process: a check reads the system's trust store anew for every other anchor.
    private static let authorities = Result { () throws(ScriptingError) in
        (trusted: try TestAuthority(named: "Scripted Internet"), stranger: try TestAuthority(named: "Somebody Else"))
    }

    init(names: [String], address: String) throws(ScriptingError) {
        let authority = try Self.authorities.get().trusted
        let stranger = try Self.authorities.get().stranger
        trusted = authority.identity
        good = try authority.issue(names: names, addresses: [address])
        untrusted = try stranger.issue(names: names, addresses: [address])
        misnamed = try authority.issue(names: ["elsewhere.test"], addresses: [])
        expired = try authority.issue(names: names, addresses: [address], isExpired: true)
    }

    subscript(door: ScriptedInternet.Scene.Door) -> Identity {
        switch door {
        case .untrusted: untrusted
        case .misnamed: misnamed
        case .expired: expired
        default: good
        }
    }
}
