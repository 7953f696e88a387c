// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension Connectivity: CustomStringConvertible {
    /// The state, the link and the reason, such as `online over eth0 (wired Ethernet)` or
    /// `offline: No carrier on eth0: is the cable in?`.
    ///
    /// Names that come from the network are printed without control characters.
    public var description: String {
        let text = state.name + (path.way(evidence).map { " \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isUnseen ? "\u{FFFD}" : $0 }))
    }
}

extension ConnectivityState {
    /// The name for people, in lower case to stand inside a sentence: the same in the command, on the dashboard, and in
    /// the history.
    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .offline: "offline"
        case .requiresConnection: "not connected"
        case .unverified: "not verified"
        case .captivePortal: "login required"
        case .noInternet: "no Internet"
        case .limited: "limited"
        case .online: "online"
        }
    }
}

extension NetworkPath {
    /// The preferred link, such as `wlan0 (Wi-Fi “Home”)`.
    package var link: String {
        guard let interface = interfaces.first else { return "an unknown link" }
        let network = interface.networkName.map { " “\($0)”" } ?? ""
        return "\(interface.name) (\(interface.type.name)\(network))"
    }

    /// The preferred link, as `over …`, or, without a path, the proxy through which a check was verified, as `by proxy …`;
    /// nil if neither is known.
    package func way(_ report: InternetCheck.Report?) -> String? {
        if status == .satisfied { return "over \(link)" }
        guard let report, report.isVerified else { return nil }
        return report.endpoints.first { $0.passed && $0.proxy != nil }?.proxy.map { "by proxy \($0)" }
    }
}

extension InterfaceType {
    /// The name for people, to stand inside a sentence.
    package var name: String {
        switch self {
        case .wifi: "Wi-Fi"
        case .cellular: "cellular"
        case .wiredEthernet: "wired Ethernet"
        case .loopback: "this machine itself"
        default: "tunnel or other"
        }
    }
}
