//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Finds out whether this is really the Internet, by asking hosts on it.
///
/// ```swift
/// let report = await InternetCheck().run()
/// switch report.verdict {
/// case .verified: print("This is the Internet.")
/// case .partial: print("HTTP passes, HTTPS does not.")
/// case .captivePortal(let url): print("The network wants a login: \(url)")
/// case .noInternet(let reason): print("No Internet: \(reason).")
/// case .inconclusive: print("That could not be found out.")
/// }
/// ```
///
/// All endpoints are asked at once, over HTTP and HTTPS. Redirects are not followed; there are no cookies and no cache;
/// bytes and time are bounded whatever a hostile network answers. No thread of the concurrency runtime is blocked.
public struct InternetCheck: Sendable {
    /// What is asked, how, and how long.
    public let configuration: Configuration
    let targets: [ProbeTarget]
    let prober: any Prober
    /// What was announced on the link with an index; nil looks at all links.
    let discovery: @Sendable (Int?) -> CaptivePortalDiscovery

    /// Makes a check with the default configuration.
    public init() {
        let configuration = Configuration()
        // The defaults are valid, as a test shows; were they not, the check would be inconclusive.
        let targets = try? configuration.validated()
        self.init(configuration, targets ?? [], Self.systemProber) { CaptivePortalDiscovery.current(interface: $0) }
    }

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - configuration: what is asked, how, and how long.
    ///   - prober: sends the requests; the system's unless told otherwise.
    /// - Throws: `ConfigurationError`, which names the field.
    public init(
        _ configuration: Configuration, prober: any Prober = Self.systemProber
    ) throws(ConfigurationError) {
        try self.init(configuration, prober: prober) { CaptivePortalDiscovery.current(interface: $0) }
    }

    package init(
        _ configuration: Configuration, prober: any Prober,
        discovery: @escaping @Sendable (Int?) -> CaptivePortalDiscovery
    ) throws(ConfigurationError) {
        self.init(configuration, try configuration.validated(), prober, discovery)
    }

    private init(
        _ configuration: Configuration, _ targets: [ProbeTarget], _ prober: any Prober,
        _ discovery: @escaping @Sendable (Int?) -> CaptivePortalDiscovery
    ) {
        self.configuration = configuration
        self.targets = targets
        self.prober = prober
        self.discovery = discovery
    }

    /// What requests call themselves.
    static let userAgent = "Dialtone (connectivity check)"
}
