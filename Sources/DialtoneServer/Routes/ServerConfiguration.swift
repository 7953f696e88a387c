// SPDX-License-Identifier: Apache-2.0

import CLibrary
public import Dialtone

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
    /// The address to listen on; 127.0.0.1:4780 by default.
    public var listen: ListenAddress
    /// Additional host names under which browsers may address the server, such as that of a proxy.
    public var allowedHosts: [String] = []
    /// The access token for other machines; required to listen on an address other than loopback.
    public var token: String?
    /// The hosts to watch for reachability.
    public var hosts: [HostTarget] = []
    /// The URL that the button requests.
    public var requestURL: String
    /// The proxies that the button's request uses; none by default.
    public var proxies = InternetCheck.Configuration.Proxies.bypass
    /// Whether visitors may enter hosts and simulate networks.
    public var isDemo = false
    /// The display name of this machine.
    public var machineName: String
    /// The version of the program, for the metrics.
    public var version = "0"
    /// The limits on requests and connections.
    var limits = ServerLimits()
    /// The interval of heartbeats on an event stream without events.
    var heartbeat = Duration.seconds(15)

    /// The default address and port to listen on.
    public static let standardListen = ListenAddress(NetworkAddress(127, 0, 0, 1), port: 4780)

    /// Creates a configuration; by default for this machine on loopback.
    ///
    /// - Parameters:
    ///   - listen: the address to listen on.
    ///   - requestURL: the URL that the button requests.
    ///   - machineName: the display name of this machine.
    public init(
        listen: ListenAddress = Self.standardListen, requestURL: String = Self.standardRequestURL,
        machineName: String = Self.nameOfThisMachine
    ) {
        self.listen = listen
        self.requestURL = requestURL
        self.machineName = machineName
    }

    /// The URL that the button requests by default: the last of the default check endpoints.
    public static let standardRequestURL = "https://cp.cloudflare.com/generate_204"
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

    /// Verifies the URL of the button.
    package static func check(requestURL url: String) throws(ServerError) { _ = try PlainRequest(url) }

    /// Verifies that there is a token if other machines could connect.
    package func checkAccess() throws(ServerError) {
        guard token == nil else { return }
        guard listen.isLoopback else {
            throw ServerError(
                .noToken, "other machines could connect to \(listen): set a token with --token-file FILE")
        }
        // An additional host name is usually that of a proxy, whose visitors all connect from this machine.
        guard allowedHosts.isEmpty else {
            throw ServerError(
                .noToken,
                "other machines could connect to \(allowedHosts.joined(separator: ", ")) through a proxy:"
                    + " set a token with --token-file FILE")
        }
    }

    /// The host name of this machine, without its domain.
    public static var nameOfThisMachine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "this machine"
    }
}
