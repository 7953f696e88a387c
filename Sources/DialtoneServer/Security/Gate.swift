//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What every request has to pass before anybody looks at what it wants.
///
/// A pure value: the same request gets the same judgement.
struct Gate: Hashable, Sendable {
    /// By which names the server may be called.
    let hosts: HostAllowList
    /// What must be shown; nil on loopback, where nothing must.
    let token: Token?

    /// What is said of a request.
    enum Judgement: Hashable, Sendable {
        /// It may go on.
        case pass
        /// A program showed what is not the token.
        case wrongToken
        /// A person has to log in first.
        case logIn
        /// It is refused, with a status and a reason.
        case refuse(Int, String)
    }

    /// Paths that need no token: they tell nothing of the network.
    static let open: Set = ["/healthz", "/login", "/style.css"]

    /// Judges a request.
    ///
    /// - Parameter hasSession: whether its cookie is that of a session.
    func judge(_ request: Request, hasSession: Bool) -> Judgement {
        guard let host = request[field: "host"], hosts.allows(host) else {
            return .refuse(
                421, "This server is not called so. If it should be, start it with --allow-host and the name.")
        }
        switch request.method {
        case "GET", "HEAD": break
        case "POST":
            guard SameOrigin.holds(request) else {
                return .refuse(403, "Only a page of this server may do that.")
            }
        default: return .refuse(405, "Only GET, HEAD and POST are understood.")
        }
        guard let token, !Self.open.contains(request.path), !hasSession else { return .pass }
        if let authorization = request[field: "authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer", token.matches(String(parts[1])) { return .pass }
            return .wrongToken
        }
        let wantsPage = request.method == "GET" && request[field: "accept"]?.contains("text/html") == true
        return wantsPage ? .logIn : .refuse(401, "A token is needed: Authorization: Bearer and the token.")
    }
}
