//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

/// An Internet for tests: a real server on this machine, over HTTP and HTTPS, that behaves as told.
///
/// ```swift
/// let internet = try ScriptedInternet()
/// let check = try InternetCheck(internet.configuration)
/// internet.play(.portal(.redirect))
/// let report = await check.run()
/// ```
///
/// It listens on loopback unless told otherwise, for as long as this object lives. HTTPS is served with a certificate of
/// an authority that exists in memory only, which a check is told to trust by `trustAnchor`; it needs OpenSSL 3 or 1.1.
/// A captive portal API (RFC 8908) has an HTTPS port of its own.
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

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - scene: how it behaves at first.
    ///   - address: the numeric address to listen on.
    ///   - httpPort: the port of plain HTTP; 0 is any.
    ///   - httpsPort: the port of HTTPS; 0 is any.
    ///   - names: host names that the certificate is good for, besides the address and `localhost`.
    /// - Throws: `ScriptingError` when a port is taken or there is no OpenSSL.
    public init(
        _ scene: Scene = .online, address: String = "127.0.0.1", httpPort: UInt16 = 0, httpsPort: UInt16 = 0,
        names: [String] = []
    ) throws(ScriptingError) {
        guard let host = HostAddress(address) else { throw ScriptingError("\(address) is not an address") }
        let identities = try Identities(names: ["localhost"] + names, address: address)
        let doors = [
            try Listener(.http, on: host, port: httpPort), try Listener(.https, on: host, port: httpsPort),
            try Listener(.captivePortalAPI, on: host, port: 0),
        ]
        let literal = address.contains(":") ? "[\(address)]" : address
        http = "http://\(literal):\(doors[0].port)"
        https = "https://\(literal):\(doors[1].port)"
        captivePortalAPI = "https://\(literal):\(doors[2].port)/captive-portal/api"
        trustAnchor = identities.trusted.certificate
        server = try Server(doors, identities, scene)
        try server.start()
    }

    deinit { server.stop() }

    /// Behaves so from now on; connections that are under way go on as they began.
    ///
    /// When it returns, a scene that refuses connections does, and one that does not accepts them.
    public func play(_ scene: Scene) { server.play(scene) }

    /// Answers so at the captive portal API from now on; not captive unless told otherwise.
    public func playCaptivePortalAPI(_ act: Act) { server.playCaptivePortalAPI(act) }

    /// The requests so far, in the order in which they came in.
    public var requests: [RecordedRequest] { server.requests }

    /// How many connections came in so far.
    public var connections: Int { server.connections }

    /// Waits until this many connections have come in, from the beginning; returns early when the task is cancelled.
    public func waitForConnections(_ count: Int) async { await server.waitForConnections(count) }

    /// How many connections were served at the same time, at the most.
    public var concurrencyPeak: Int { server.concurrencyPeak }

    /// A configuration that asks this server and no other: `/generate_204` and `/success.txt`, both over HTTP and HTTPS.
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
