// SPDX-License-Identifier: Apache-2.0

package import Dialtone

package struct ServerConfiguration: Sendable {
    /// The addresses to listen on; 127.0.0.1:4780 by default.
    package var listen: [ListenAddress]
    /// Additional host names under which browsers may address the server, such as that of a proxy.
    package var allowedHosts: [String] = []
    /// The access token for other machines; required to listen on any address other than loopback.
    package var token: String?
    /// The certificate and key for HTTPS; nil for HTTP.
    package var identity: ServerIdentity?
    /// The request of the button, and the answer that it must get.
    package var request: InternetCheck.Endpoint
    /// The version of the program, for the metrics.
    package var version = "0"
    /// The limits on requests and connections.
    var limits = ServerLimits()
    /// The interval of heartbeats on an event stream without events.
    var heartbeat = Duration.seconds(15)

    package static let standardListen = ListenAddress(NetworkAddress(127, 0, 0, 1), port: 4780)

    /// Creates a configuration; by default for this machine on loopback.
    ///
    /// - Parameters:
    ///   - listen: the addresses to listen on, at least one.
    ///   - request: the request of the button, and the answer that it must get.
    package init(
        listen: [ListenAddress] = [Self.standardListen], request: InternetCheck.Endpoint = Self.standardRequest
    ) {
        self.listen = listen
        self.request = request
    }

    /// The request of the button by default: one of the default check endpoints.
    package static let standardRequest = InternetCheck.Endpoint("https://cp.cloudflare.com/generate_204")
}

extension ServerConfiguration {
    /// Verifies the text of a token.
    package static func check(token: String) throws(ServerError) { _ = try Token(token) }

    /// Verifies an additional host name.
    package static func check(allowedHost name: String) throws(ServerError) {
        guard HostAllowList.isValid(name) else {
            throw ServerError(
                .badHost,
                "'\(name)' must be an ASCII host name such as dialtone.example.org, or an address; a port may follow")
        }
    }

    /// Parses the request of the button: `URL`, which must answer with JSON, or `URL EXPECTATION`, as for an endpoint of a
    /// check.
    package static func request(parsing text: String) throws(ServerError) -> InternetCheck.Endpoint {
        let request: InternetCheck.Endpoint
        do throws(InvalidConfiguration) {
            var parsed = try InternetCheck.Endpoint(parsing: text)
            if !text.contains(" ") { parsed.expectation = .json }
            request = parsed
        } catch {
            throw ServerError(.badHost, error.problem)
        }
        _ = try PlainRequest(request)
        return request
    }

    /// Verifies that there is a token if other machines could connect.
    package func checkAccess() throws(ServerError) {
        guard token == nil else { return }
        if let exposed = listen.first(where: { !$0.isLoopback }) {
            throw ServerError(
                .noToken, "other machines could connect to \(exposed): set a token with --token-file FILE")
        }
        // An additional host name is usually that of a proxy, whose visitors all connect from this machine.
        guard allowedHosts.isEmpty else {
            throw ServerError(
                .noToken,
                "other machines could connect to \(allowedHosts.joined(separator: ", ")) through a proxy:"
                    + " set a token with --token-file FILE")
        }
    }
}
