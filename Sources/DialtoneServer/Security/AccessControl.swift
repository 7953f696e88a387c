// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent

/// The security checks that every request must pass before it is routed.
///
/// A pure value: the same request always gets the same decision.
struct AccessControl: Hashable, Sendable {
    let hosts: HostAllowList
    /// The required token; nil on loopback, where none is required.
    let token: Token?

    enum Decision: Hashable, Sendable {
        /// The request may continue.
        case pass
        /// The request presents this text as the token, which the caller must compare; it passed all other checks.
        case presents(String)
        /// The user must log in first.
        case logIn
        /// The request is refused with a status and a reason.
        case refuse(Int, String)
    }

    /// Paths that need no token, because they reveal no more about the network than whether it works.
    static let open: Set = ["/healthz", "/login", "/online", "/style.css"]

    /// Decides on a request.
    ///
    /// - Parameter hasSession: whether its cookie belongs to a session.
    func decide(_ request: Request, hasSession: Bool) -> Decision {
        guard let host = request[field: "host"], hosts.allows(host) else {
            return .refuse(421, "Unknown host name. To allow it, start the server with --allow-host and the name.")
        }
        switch request.method {
        case "GET", "HEAD":
            guard !SameOrigin.isForeignRead(request) else {
                return .refuse(403, "Pages of other sites may not read from this server.")
            }
        case "POST":
            guard SameOrigin.holds(request) else { return .refuse(403, "Only pages of this server may do that.") }
        default: return .refuse(405, "Allowed methods: GET, HEAD, POST.")
        }
        guard token != nil, !Self.open.contains(request.path), !hasSession else { return .pass }
        if let authorization = request[field: "authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            return .presents(parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : "")
        }
        let wantsPage = request.method == "GET" && request[field: "accept"]?.contains("text/html") == true
        return wantsPage ? .logIn : .refuse(401, "A token is required: send Authorization: Bearer and the token.")
    }
}

/// The access token, required from clients other than this machine's own users.
struct Token: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The minimum length, in bytes.
    static let shortest = 16

    /// Creates a token, without surrounding white space.
    ///
    /// - Throws: if it is too short, or contains characters other than printable ASCII.
    init(_ text: String) throws(ServiceError) {
        let text = text.split(whereSeparator: \.isWhitespace)
        guard text.count == 1, let word = text.first, word.utf8.count >= Self.shortest,
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServiceError(
                "a token must be at least \(Self.shortest) printable ASCII characters without spaces. This creates one: "
                    + "head -c 24 /dev/urandom | base64")
        }
        bytes = Array(word.utf8)
    }

    /// Whether a text is the token; the time does not depend on how many characters match.
    func matches(_ text: String) -> Bool {
        let other = Array(text.utf8)
        var difference = other.count ^ bytes.count
        for index in other.indices { difference |= Int(other[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
