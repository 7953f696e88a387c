// SPDX-License-Identifier: Apache-2.0

public import Dialtone

/// An Internet for tests: a real server on this machine, over HTTP and HTTPS, that behaves as scripted.
///
/// ```swift
/// let internet = try ScriptedInternet()
/// let check = try InternetCheck(internet.configuration)
/// internet.play(.portal(.redirect))
/// let report = await check.run()
/// ```
///
/// It listens on loopback by default, for as long as this object lives. HTTPS is served with a certificate of
/// an authority that exists in memory only, which a check trusts by `trustAnchor`; it needs OpenSSL 1.1 or later.
/// A captive portal API (RFC 8908) has a separate HTTPS port.
public final class ScriptedInternet: Sendable {
    /// The URL of the plain server, without a slash at its end.
    public let http: String
    /// The URL of the HTTPS server, without a slash at its end.
    public let https: String
    /// The URL of the captive portal API.
    public let captivePortalAPI: String
    /// The certificate (PEM) of the authority behind the server's.
    public let trustAnchor: String
    private let server: Server

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - behavior: the behaviour at first.
    ///   - address: the numeric address to listen on.
    ///   - httpPort: the port of plain HTTP; 0 is any.
    ///   - httpsPort: the port of HTTPS; 0 is any.
    ///   - names: host names that the certificate is valid for, besides the address and `localhost`.
    /// - Throws: `ScriptingError` when a port is taken or there is no OpenSSL.
    public init(
        _ behavior: Behavior = .online, address: String = "127.0.0.1", httpPort: UInt16 = 0, httpsPort: UInt16 = 0,
        names: [String] = []
    ) throws(ScriptingError) {
        guard let host = NetworkAddress(address) else { throw ScriptingError("\(address) is not an address") }
        let identities = try Identities(names: ["localhost"] + names, address: address)
        let listeners = [
            try Listener(.http, on: host, port: httpPort), try Listener(.https, on: host, port: httpsPort),
            try Listener(.captivePortalAPI, on: host, port: 0),
        ]
        let literal = address.contains(":") ? "[\(address)]" : address
        http = "http://\(literal):\(listeners[0].port)"
        https = "https://\(literal):\(listeners[1].port)"
        captivePortalAPI = "https://\(literal):\(listeners[2].port)/captive-portal/api"
        trustAnchor = identities.trusted.certificate
        server = try Server(listeners, identities, behavior)
    }

    deinit { server.interrupt.signal() }

    /// Changes the behaviour for new connections; open ones continue as they began.
    ///
    /// When it returns, the new behavior already accepts or refuses connections.
    public func play(_ behavior: Behavior) { server.play(behavior) }

    /// Presents another certificate to new connections that get the behavior `open`.
    package func present(_ identity: Identity) { server.state.withLock { $0.presented = identity } }

    /// Sets the answer of the captive portal API; "not captive" by default.
    public func playCaptivePortalAPI(_ response: Response) {
        server.state.withLock { $0.captivePortalAPI = response }
    }

    /// The requests so far, in the order of arrival.
    public var requests: [RecordedRequest] { server.state.withLock { $0.requests } }

    /// The number of connections so far.
    public var connections: Int { server.total.count }

    /// Waits until this number of connections have arrived since the start; returns early when the task is cancelled.
    public func waitForConnections(_ count: Int) async { await server.total.wait(for: count) }

    /// The largest number of connections served at the same time.
    public var concurrencyPeak: Int { server.state.withLock { $0.peak } }

    /// A configuration that queries only this server: `/generate_204` and `/success.txt`, both over HTTP and HTTPS.
    public var configuration: InternetCheck.Configuration {
        InternetCheck.Configuration(
            endpoints: [
                .init("\(http)/generate_204"), .init("\(https)/generate_204"),
                .init("\(http)/success.txt", expecting: .body("success")),
                .init("\(https)/success.txt", expecting: .body("success")),
            ],
            additionalTrustAnchors: [trustAnchor], captivePortalAPI: .off)
    }
}
