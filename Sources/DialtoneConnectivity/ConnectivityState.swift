// SPDX-License-Identifier: Apache-2.0

/// Whether this machine is online, and whether the network that it uses really leads to the Internet.
public enum ConnectivityState: String, Hashable, Sendable, CaseIterable {
    /// The state of the network cannot be read.
    case unknown
    /// There is no path.
    case offline
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path; whether it leads to the Internet has not been checked.
    case unverified
    /// The network requires a login first.
    case captivePortal
    /// There is a path, but the Internet is unreachable, or only partly reachable.
    case limited
    /// The Internet has answered.
    case online
}

extension ConnectivityState {
    /// The state that follows from a path alone: never `online`, which requires a check.
    public init(_ path: NetworkPath) {
        if path.isUnknown {
            self = .unknown
        } else {
            switch path.status {
            case .satisfied: self = .unverified
            case .requiresConnection: self = .requiresConnection
            default: self = .offline
            }
        }
    }

    /// The state that follows from a path and the verdict of the latest check over it.
    ///
    /// The verdict counts where packets may be able to leave: over a satisfied path, and where a sandbox hides the
    /// network. An inconclusive verdict does not count.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - verdict: the verdict of the latest check over that path; nil before the first.
    public init(_ path: NetworkPath, _ verdict: InternetCheck.Verdict?) {
        let unproven = Self(path)
        guard path.canBeChecked, let verdict else {
            self = unproven
            return
        }
        switch verdict {
        case .verified: self = .online
        case .partial, .noInternet: self = .limited
        case .captivePortal: self = .captivePortal
        case .inconclusive: self = unproven
        }
    }
}

extension ConnectivityState {
    /// The state that follows from a path and the report of a check that may not have needed it.
    ///
    /// A verified check outweighs a missing path: it went through a proxy, or to a host on one of this machine's own links.
    package init(_ path: NetworkPath, checkedBy report: InternetCheck.Report?) {
        self = report?.verdict == .verified ? .online : ConnectivityState(path, report?.verdict)
    }
}

extension NetworkPath {
    /// Whether a probe over the path can give a result: the path is satisfied, or hidden from view.
    ///
    /// A dial-on-demand link is not probed, because the probe would dial.
    package var canBeChecked: Bool { status == .satisfied || isUnknown }
}
