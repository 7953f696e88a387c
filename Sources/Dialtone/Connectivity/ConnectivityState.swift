//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The one answer: is the line alive, and is it really the Internet.
public enum ConnectivityState: String, Hashable, Sendable, CaseIterable {
    /// The network cannot be seen.
    case unknown
    /// There is no path.
    case offline
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path; whether it leads to the Internet has not been checked.
    case unverified
    /// The network wants a login first.
    case captivePortal
    /// There is a path, but the Internet cannot be reached, or only in part.
    case limited
    /// The Internet has answered.
    case online
}

extension ConnectivityState {
    /// What a path alone says: never `online`, which takes proof.
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

    /// What a path and the evidence gathered over it say together.
    ///
    /// Evidence counts where packets may leave: over a satisfied path, and where a sandbox hides the network. Inconclusive
    /// evidence is none.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - verdict: what the latest check over that path found; nil before the first.
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

extension NetworkPath {
    /// Whether probes over the path can tell anything: there is one, or it is hidden from view.
    ///
    /// A dial-on-demand link is not probed, because the probe would dial.
    var canBeChecked: Bool { status == .satisfied || isUnknown }
}
