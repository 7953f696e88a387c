// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneAgent

package struct ServerConfiguration: Sendable {
    /// The addresses to listen on; 127.0.0.1:4780 by default.
    package var listen: [ListenAddress]
    /// Additional host names under which browsers may address the server, such as that of a proxy.
    package var allowedHosts: [String] = []
    /// The access token for other machines; required to listen on any address other than loopback.
    package var token: String?
    /// The certificate and key for HTTPS; nil for HTTP.
    package var identity: ServerIdentity?
    /// The version of the program, for the metrics.
    package var version = "0"
    /// The limits on requests and connections.
    var limits = ServerLimits()
    /// The interval of keep-alive comments on an event stream without events.
    var keepAlive = Duration.seconds(15)

    package static let standardListen = ListenAddress(NetworkAddress(127, 0, 0, 1), port: 4780)

    /// Creates a configuration; by default for this machine on loopback.
    package init(listen: [ListenAddress] = [Self.standardListen]) { self.listen = listen }
}

extension ServerConfiguration {
    /// Verifies the text of a token.
    package static func check(token: String) throws(ServiceError) { _ = try Token(token) }

    /// Verifies an additional host name.
    package static func check(allowedHost name: String) throws(ServiceError) {
        guard HostAllowList.isValid(name) else {
            throw ServiceError(
                "'\(name)' must be an ASCII host name such as dialtone.example.org, or an address; a port may follow")
        }
    }

    /// Verifies that there is a token if other machines could connect.
    package func checkAccess() throws(ServiceError) {
        guard token == nil else { return }
        if let exposed = listen.first(where: { !$0.isLoopback }) {
            throw ServiceError("other machines could connect to \(exposed): set a token with --token-file FILE")
        }
        // An additional host name is usually that of a proxy, whose visitors all connect from this machine.
        guard allowedHosts.isEmpty else {
            throw ServiceError(
                "other machines could connect to \(allowedHosts.joined(separator: ", ")) through a proxy:"
                    + " set a token with --token-file FILE")
        }
    }
}
