// SPDX-License-Identifier: Apache-2.0

/// The reasons that depend on neither a path nor a report.
package enum GeneralReason {
    static let unreadable = "The network state cannot be read."
    static let noPath = "There is no path."
    static let onDemand = "A connection is available on demand."
    static let unchecked = "The Internet has not been checked yet."
    static let login = "The network requires a login: open its page in a browser."
    static let ownPage = "The router shows its own page instead of the Internet (a login, or it has no connection)."
    static let noHTTPS = "HTTPS does not pass."
    /// Why HTTPS does not pass, to follow a colon.
    static let interception = "something is intercepting secure connections"
    static let brokenHandshakes = "secure connections break off during the handshake"
    static let secureRefusal = "secure connections are refused"
    static let noInternet = "The Internet cannot be reached."
    static let provider =
        "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."

    /// - Parameter names: the addresses of the routers; nil if they are not known.
    static func router(_ names: String?) -> String {
        "The router \(names.map { "(\($0)) " } ?? "")does not answer: is it on, and is this the right network?"
    }
}
