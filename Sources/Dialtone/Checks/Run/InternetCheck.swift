// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Verifies access to the Internet by querying hosts on it.
///
/// ```swift
/// let report = await InternetCheck().run()
/// print(report.reason ?? "Internet access is verified.")
/// if let page = report.portal { print("Log in here: \(page)") }
/// ```
///
/// All endpoints are queried at once, over HTTP and HTTPS. Redirects are not followed; there are no cookies and no cache;
/// bytes and time are bounded even against a hostile network. No thread of the concurrency runtime is blocked.
public struct InternetCheck: Sendable {
    /// The endpoints, the quorum and the bounds of a check.
    ///
    /// It has been validated. Only its binding and its timeouts may be replaced, by valid ones.
    public package(set) var configuration: Configuration
    let targets: [ProbeTarget]
    /// The operator of each endpoint, in the order of the configuration.
    let operators: [String]
    let prober: any Prober
    /// The announcement on the link with an index; nil considers all links.
    let discovery: @Sendable (Int?) -> CaptivePortalDiscovery
    /// Whether `check(over:)` uses the interface of the path, even where the system would choose another.
    package var isBoundToPath = false
    /// The network that the nearer hops are asked over.
    var transport = NetworkTransport.system
    /// Whether a check that is not full tries the other IP version over HTTPS rather than over HTTP.
    var reversesSecure = false
    /// The clock of its time limits and durations.
    var time: TimeSource { transport.environment.time }

    /// Creates a check with the default configuration.
    public init() {
        let configuration = Configuration()
        // A test shows that the defaults are valid; otherwise the check would be inconclusive.
        let targets = try? configuration.validated()
        self.init(configuration, targets ?? [], Self.systemProber, Self.systemDiscovery)
    }

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - configuration: the endpoints, the quorum and the bounds.
    /// - Throws: `InvalidConfiguration`, which names the field.
    public init(_ configuration: Configuration) throws(InvalidConfiguration) {
        try self.init(configuration, prober: Self.systemProber)
    }

    #if !canImport(Darwin)
    /// Creates a check that resolves names in its own way.
    ///
    /// - Parameters:
    ///   - configuration: the endpoints, the quorum and the bounds.
    ///   - resolver: finds the addresses of hosts.
    /// - Throws: `InvalidConfiguration`, which names the field.
    public init(_ configuration: Configuration, resolver: any NameResolver) throws(InvalidConfiguration) {
        try self.init(configuration, prober: SocketHTTPProbe(resolver: resolver))
    }
    #endif

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - configuration: the endpoints, the quorum and the bounds.
    ///   - prober: sends the requests.
    ///   - discovery: returns the announcement on the link with an index; nil considers all links.
    /// - Throws: `InvalidConfiguration`, which names the field.
    package init(
        _ configuration: Configuration, prober: any Prober,
        discovery: @escaping @Sendable (Int?) -> CaptivePortalDiscovery = Self.systemDiscovery
    ) throws(InvalidConfiguration) { self.init(configuration, try configuration.validated(), prober, discovery) }

    /// The announcements that this machine's services keep.
    @Sendable package static func systemDiscovery(_ link: Int?) -> CaptivePortalDiscovery { .current(interface: link) }

    #if !canImport(Darwin)
    /// Creates a check over a network.
    ///
    /// - Parameters:
    ///   - configuration: the endpoints, the quorum and the bounds.
    ///   - transport: the network.
    /// - Throws: `InvalidConfiguration`, which names the field.
    public init(
        _ configuration: Configuration = Configuration(), over transport: NetworkTransport
    ) throws(InvalidConfiguration) {
        try self.init(configuration, prober: SocketHTTPProbe(over: transport)) { _ in .unknown }
        self.transport = transport
    }
    #endif

    init(
        _ configuration: Configuration, _ targets: [ProbeTarget], _ prober: any Prober,
        _ discovery: @escaping @Sendable (Int?) -> CaptivePortalDiscovery
    ) {
        self.configuration = configuration
        self.targets = targets
        operators = zip(configuration.endpoints, targets).map { $0.operatorName ?? $1.operatorName }
        self.prober = prober
        self.discovery = discovery
    }
}
