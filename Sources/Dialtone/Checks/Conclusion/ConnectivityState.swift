// SPDX-License-Identifier: Apache-2.0

/// Whether this machine is online, and whether the network that it uses really leads to the Internet.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ConnectivityState: String, Hashable, Sendable, CaseIterable {
    /// The state of the network cannot be read, for instance in a sandbox, or has not been read yet.
    ///
    /// Unlike `unverified`, it does not say that there is a path: a program should try nothing because of it, and conclude nothing.
    case unknown
    /// There is no path.
    case offline
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path; whether it leads to the Internet has not been checked.
    case unverified
    /// The network requires a login first.
    case captivePortal
    /// There is a path, but nothing beyond it answers.
    case noInternet
    /// There is a path, and something passes, but not the whole Internet; or too little was asked to know more.
    case limited
    /// The Internet has answered.
    case online
}

extension ConnectivityState {
    /// The state that follows from a path alone: never `online`, which requires a check.
    public init(_ path: NetworkPath) {
        switch path.status {
        case _ where path.isUnknown: self = .unknown
        case .satisfied: self = .unverified
        case .requiresConnection: self = .requiresConnection
        default: self = .offline
        }
    }

    /// The state that follows from a path and the report of the latest check.
    ///
    /// A check that is `online` outweighs a missing path: it went through a proxy, or to a host on one of this machine's own links.
    /// Any other report counts only where packets may be able to leave: over a satisfied path, where a sandbox hides the
    /// network, and with a borrowed address (``PathDiagnosis/borrowedAddress``). One that found out nothing does not count.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - report: the report of the latest check over that path; nil before the first.
    public init(_ path: NetworkPath, checkedBy report: InternetCheck.Report?) { self = Conclusion(path, report).state }
}

extension ConnectivityState {
    /// Whether there is a path, but checks could not reach the full Internet over it.
    var isWithoutInternet: Bool { self == .limited || self == .noInternet || self == .captivePortal }
}
