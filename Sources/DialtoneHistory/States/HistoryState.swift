//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

/// What the history says of a stretch of time.
///
/// The first seven are the states of ``Dialtone/ConnectivityState``, with the same spelling. The last two tell why there is
/// none: they are never confused with an outage.
public enum HistoryState: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// The Internet has answered.
    case online
    /// There is a path, but the Internet cannot be reached, or only in part.
    case limited
    /// The network wants a login first.
    case captivePortal
    /// There is no path.
    case offline
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path; whether it leads to the Internet was not known.
    case unverified
    /// The network could not be seen, or nothing was known yet.
    case unknown
    /// Nobody watched.
    case notWatching
    /// This host was suspended or off.
    case asleep

    /// The state of the history that a state of the machine becomes.
    public init(_ state: ConnectivityState) {
        switch state {
        case .online: self = .online
        case .limited: self = .limited
        case .captivePortal: self = .captivePortal
        case .offline: self = .offline
        case .requiresConnection: self = .requiresConnection
        case .unverified: self = .unverified
        case .unknown: self = .unknown
        }
    }
}

extension HistoryState {
    /// What a state counts as.
    public enum Standing: String, Codable, Hashable, Sendable, CaseIterable {
        /// The Internet was there.
        case up
        /// It was not: part of an outage.
        case down
        /// It was not known: neither for nor against.
        case undecided
        /// Nobody could have known.
        case unwatched
    }

    /// What the state counts as.
    public var standing: Standing {
        switch self {
        case .online: .up
        case .offline, .requiresConnection, .captivePortal, .limited: .down
        case .unverified, .unknown: .undecided
        case .notWatching, .asleep: .unwatched
        }
    }

    /// Whether somebody watched.
    public var isWatched: Bool { standing != .unwatched }

    /// Whether there was a path, as far as was known.
    public var hasPath: Bool {
        switch self {
        case .online, .limited, .captivePortal, .unverified: true
        default: false
        }
    }

    /// The order in which states win where there is room for one only: an outage is never hidden, the worst comes first.
    public static let bySeverity: [HistoryState] = [
        .offline, .requiresConnection, .captivePortal, .limited, .asleep, .notWatching, .unknown, .unverified, .online,
    ]

    /// The place in ``bySeverity``: 0 is the worst.
    var severity: Int {
        switch self {
        case .offline: 0
        case .requiresConnection: 1
        case .captivePortal: 2
        case .limited: 3
        case .asleep: 4
        case .notWatching: 5
        case .unknown: 6
        case .unverified: 7
        case .online: 8
        }
    }
}
