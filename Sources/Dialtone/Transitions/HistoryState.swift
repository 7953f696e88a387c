// SPDX-License-Identifier: Apache-2.0

/// The state that the history records for a period.
///
/// The first eight are the states of ``ConnectivityState``, with the same spelling. The last two are the
/// reasons why there is no such state; they never count as an outage.
package enum HistoryState: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// The Internet answered.
    case online
    /// There is a path, but nothing beyond it answers. Versions before 0.3 recorded `limited` instead.
    case noInternet
    /// There is a path, and something passes, but not the whole Internet.
    case limited
    /// The network requires a login first.
    case captivePortal
    /// There is no path.
    case offline
    /// There is no path, but connecting would bring one up.
    case requiresConnection
    /// There is a path; whether it reaches the Internet is not known.
    case unverified
    /// The state of the network could not be read, or is not known yet.
    case unknown
    /// The host was not watched.
    case notWatching
    /// The host was suspended or off.
    case asleep

    /// Converts a connectivity state to the same state of the history.
    package init(_ state: ConnectivityState) {
        self = Self(rawValue: state.rawValue) ?? .unknown
    }
}

extension HistoryState {
    /// The effect of a state on availability.
    package enum Availability: String, Codable, Hashable, Sendable, CaseIterable {
        /// The Internet was reachable.
        case up
        /// The Internet was not reachable; part of an outage.
        case down
        /// Reachability was not known; does not count in either direction.
        case undecided
        /// The host was not watched.
        case unwatched
    }

    /// The effect of this state on availability.
    package var availability: Availability {
        switch self {
        case .online: .up
        case .offline, .requiresConnection, .captivePortal, .noInternet, .limited: .down
        case .unverified, .unknown: .undecided
        case .notWatching, .asleep: .unwatched
        }
    }

    package var isWatched: Bool { availability != .unwatched }

    /// Whether there was a path, as far as is known.
    package var hasPath: Bool {
        switch self {
        case .online, .noInternet, .limited, .captivePortal, .unverified: true
        default: false
        }
    }

    /// The states by precedence where only one can be shown: the worst comes first, so that an outage is never hidden.
    package static let bySeverity: [Self] = [
        .offline, .requiresConnection, .noInternet, .captivePortal, .limited, .asleep, .notWatching, .unknown,
        .unverified, .online,
    ]

    /// The index in ``bySeverity``; 0 is the worst.
    package var severity: Int { Self.bySeverity.firstIndex(of: self) ?? 0 }
}

/// The cause of a state of the history, as a code.
///
/// For a state of the network it is the raw value of a ``ConnectivityCause``; for time that was not watched, it is one of the
/// codes below. The history of 1.0.0-rc.1 has some others, which CHANGELOG lists. Unknown codes are kept, so that an older program can
/// read records from a newer one.
package struct HistoryCause: RawRepresentable, Codable, Hashable, Sendable {
    /// The code, at most 64 characters long.
    package let rawValue: String

    /// Creates a cause from a code; only the first 64 characters are kept.
    package init(rawValue: String) { self.rawValue = rawValue.shortened(to: 64) }

    /// Creates the cause of a state of the network.
    package init(_ cause: ConnectivityCause) { self.init(rawValue: cause.rawValue) }

    /// Whether watching sent no packets, so that more than a path was never known.
    package var isUnchecked: Bool { self == .passive || self == HistoryCause(ConnectivityCause.notChecked) }

    /// What 1.0.0-rc.1 recorded in place of `notChecked`.
    package static let passive = Self(rawValue: "passive")
    /// Watching ended with a regular shutdown.
    package static let stopped = Self(rawValue: "stopped")
    /// Watching ended without a regular shutdown: a crash, a kill or a power failure.
    package static let crashed = Self(rawValue: "crashed")
    /// The process did not run for a while: it was stopped (SIGSTOP), frozen with its container, or suspended in the
    /// background.
    package static let paused = Self(rawValue: "paused")
    /// Watching has just begun.
    package static let started = Self(rawValue: "started")
    /// The clock was set: forward, so that this time never passed, or back, so that it is recorded a second time.
    package static let clockSet = Self(rawValue: "clockSet")
    /// The host was suspended.
    package static let suspended = Self(rawValue: "suspended")
    /// The host was off, or restarting.
    package static let off = Self(rawValue: "off")
    /// Records were discarded to limit memory use.
    package static let discarded = Self(rawValue: "discarded")
    /// There are no records of this time: it precedes the history, or retention removed them.
    package static let noRecord = Self(rawValue: "noRecord")
    /// The router restarted; the cause of an outage, and of no state.
    package static let routerRestarted = Self(rawValue: "routerRestarted")
}

extension HistoryCause: CustomStringConvertible {
    package var description: String { rawValue }
}

/// Stored and encoded by its raw value.
extension ConnectivityFault: Codable, CodingKeyRepresentable {}

extension String {
    /// Returns the first characters of this text, or all of it.
    package func shortened(to maximum: Int) -> String {
        // Characters are counted only if there may be too many, because counting is slow.
        utf8.count <= maximum ? self : String(prefix(maximum))
    }
}
