// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import LibC

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
    /// The addresses to listen on; 127.0.0.1:4780 by default.
    public var listen: [ListenAddress]
    /// Additional host names under which browsers may address the server, such as that of a proxy.
    public var allowedHosts: [String] = []
    /// The access token for other machines; required to listen on any address other than loopback.
    public var token: String?
    /// The certificate and key for HTTPS; nil for HTTP.
    public var identity: ServerIdentity?
    /// The hosts to watch for reachability, by connecting to them.
    public var hosts: [WatchedHost] = []
    /// The time after a connection to a watched host until the next one; 30 s by default, and at least 1 s.
    public var hostInterval = Duration.seconds(30)
    /// Whether the server must not send packets, and therefore does not connect to watched hosts.
    ///
    /// The monitor must have no checker then.
    public var isPassive = false
    /// The request of the button, and the answer that it must get.
    public var request: InternetCheck.Endpoint
    /// The proxies that the button's request uses; none by default.
    public var proxies = InternetCheck.Configuration.Proxies.bypass
    /// The collector that receives the events of the history; nil for none.
    public var events: EventTarget?
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
    ///   - listen: the addresses to listen on, at least one.
    ///   - request: the request of the button, and the answer that it must get.
    ///   - machineName: the display name of this machine.
    public init(
        listen: [ListenAddress] = [Self.standardListen], request: InternetCheck.Endpoint = Self.standardRequest,
        machineName: String = Self.nameOfThisMachine
    ) {
        self.listen = listen
        self.request = request
        self.machineName = machineName
    }

    /// The request of the button by default: one of the default check endpoints.
    public static let standardRequest = InternetCheck.Endpoint("https://cp.cloudflare.com/generate_204")
    /// The minimum of ``hostInterval``.
    static let shortestHostInterval = Duration.seconds(1)
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
        do throws(InternetCheck.ConfigurationError) {
            var parsed = try InternetCheck.Endpoint(parsing: text)
            if !text.contains(" ") { parsed.expectation = .json }
            request = parsed
        } catch {
            throw ServerError(.badHost, error.problem)
        }
        _ = try PlainRequest(request)
        return request
    }

    /// Verifies the interval of connections to watched hosts.
    func checkHostInterval() throws(ServerError) {
        guard hostInterval >= Self.shortestHostInterval else {
            throw ServerError(
                .badInterval,
                "watched hosts must not be connected to more often than every \(Self.shortestHostInterval)")
        }
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

    /// The host name of this machine, without its domain.
    public static var nameOfThisMachine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "this machine" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "this machine"
    }
}
