// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import DialtoneHistory
import SystemSupport

/// A host that the server watches.
package struct WatchedHost: Hashable, Sendable, CustomStringConvertible {
    /// The name on the page, in the JSON and in the metrics: `example.com`, `example.com:22`, `https://example.com:443`.
    ///
    /// It leaves out the user and the path of a URL, which may be secret.
    package let name: String
    /// The target of the connections; without a port, port 443.
    package let target: HostTarget
    /// Whether its port is one of TLS, so that its certificate is watched: the scheme is `https`, or the port is 443.
    package let usesTLS: Bool

    /// Creates a host from a name, an address, either with a port, or a URL, as `HostTarget` parses them.
    ///
    /// - Throws: the problem with the text.
    package init(_ text: String) throws(HostTargetError) {
        target = try HostTarget(text)
        let scheme = text.utf8.firstRange(of: "://".utf8).map { text[..<$0.lowerBound].lowercased() + "://" }
        name = (scheme ?? "") + target.description
        let port = target.port ?? HostReachability.defaultPort
        usesTLS = scheme == "https://" || (port == 443 && scheme != "http://")
    }

    package var description: String { name }
}

/// A watched host with its last report.
package struct HostRow: Equatable, Sendable {
    package var host: WatchedHost
    /// The last report; nil before the first.
    package var report: HostReport?
    /// The time of the last report.
    package var checkedAt: Date?
    /// The time at which the report's state changed last.
    package var since: Date
    /// Whether the network began or ceased to fail after the last report.
    package var isOutdated = false
    /// The last checks.
    package var statistics = HostStatistics()
    /// The certificate that it presented last; nil before, and without TLS.
    package var certificate: ServerCertificate?

    /// Whether a host is reachable, and if not, or if it is unknown, why.
    package struct Result: Equatable, Sendable {
        package var state: HostReport.State
        /// A sentence; nil for a reachable host.
        package var reason: String?
    }

    /// The result of the last report, as far as it can be trusted on this network.
    ///
    /// Only a connection proves that a host is reachable, and only where the network does not answer in its place.
    package func result(in connectivity: Connectivity) -> Result {
        guard let report else { return Result(state: .unknown, reason: "It has not been checked yet.") }
        guard report.state == .reachable else {
            return Result(state: report.state, reason: report.error?.description)
        }
        guard report.connection != nil else {
            return Result(state: .unknown, reason: "There is a route to it; no connection was tried.")
        }
        if let doubt = doubt(about: report, connectivity) { return Result(state: .unknown, reason: doubt) }
        return Result(state: .reachable)
    }

    /// The result to show beside the state of the network.
    ///
    /// A host that began to answer after the latest check contradicts its result; the check that this caused will decide.
    package func presentResult(in connectivity: Connectivity) -> Result {
        let result = result(in: connectivity)
        guard result.state == .reachable, connectivity.state == .noInternet,
            let checkedAt = connectivity.evidence?.checkedAt, since > checkedAt,
            !isNear
        else { return result }
        return Result(state: .unknown, reason: "It answers again. The Internet is being checked again.")
    }

    /// Whether it is on this machine or on one of its links, so that it does not need the Internet.
    package var isNear: Bool { report?.route.value.map { $0.isDirect || $0.isLocalAddress } ?? false }

    private func doubt(about report: HostReport, _ connectivity: Connectivity) -> String? {
        if connectivity.state == .captivePortal, !isNear {
            return "This network requires a login; its login page may answer in place of the host."
        }
        if case .name = host.target.host, connectivity.state == .limited,
            connectivity.evidence?.verdict.reason == .hijackedNames
        {
            return "DNS answers are forged, so another machine may answer in place of the host."
        }
        return isOutdated && HistoryState(connectivity.state).availability == .down ? "It is being checked again." : nil
    }

    /// The duration of the last connection; nil unless it succeeded.
    package var connectDuration: Duration? { report?.connection.flatMap { $0.error == nil ? $0.duration : nil } }

    /// The port that is connected to; nil if none is known.
    package var port: UInt16? { report?.port ?? host.target.port }
}
