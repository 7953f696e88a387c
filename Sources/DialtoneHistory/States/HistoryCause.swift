// SPDX-License-Identifier: Apache-2.0

public import Dialtone

/// The cause of a state of the history, as a code.
///
/// For `offline` it is a ``Dialtone/PathDiagnosis/Reason``, for `limited` a ``Dialtone/InternetCheck/NoInternetReason``
/// or `partial`, each by its raw value; for unwatched time, it is one of the codes below. Unknown codes are kept, so
/// that an older program can read records from a newer one.
public struct HistoryCause: RawRepresentable, Codable, Hashable, Sendable {
    /// The code, at most 64 characters long.
    public let rawValue: String

    /// Creates a cause from a code; only the first 64 characters are kept.
    public init(rawValue: String) { self.rawValue = String(rawValue.prefix(64)) }

    /// HTTP worked, but HTTPS did not.
    public static let partial = HistoryCause(rawValue: "partial")
    /// The state of the network could not be read.
    public static let notVisible = HistoryCause(rawValue: "notVisible")
    /// Watching ended with a regular shutdown.
    public static let stopped = HistoryCause(rawValue: "stopped")
    /// Watching ended without a regular shutdown: a crash, a kill or a power failure.
    public static let crashed = HistoryCause(rawValue: "crashed")
    /// Watching has just begun.
    public static let started = HistoryCause(rawValue: "started")
    /// The clock was set: forward, so that this time never passed, or back, so that it is recorded a second time.
    public static let clockSet = HistoryCause(rawValue: "clockSet")
    /// The host was suspended.
    public static let suspended = HistoryCause(rawValue: "suspended")
    /// The host was off, or restarting.
    public static let off = HistoryCause(rawValue: "off")
    /// Records were discarded to limit memory use.
    public static let discarded = HistoryCause(rawValue: "discarded")
    /// There are no records of this time: it precedes the history, or retention removed them.
    public static let noRecord = HistoryCause(rawValue: "noRecord")
}

extension HistoryCause: CustomStringConvertible {
    /// The code.
    public var description: String { rawValue }
}

extension HistoryCause {
    /// The cause of a monitor's value; nil if nothing is known beyond the state.
    public init?(_ connectivity: Connectivity) {
        switch connectivity.state {
        case .offline, .requiresConnection:
            guard let reason = connectivity.path.diagnosis?.reason else { return nil }
            self.init(rawValue: reason.rawValue)
        case .limited:
            guard let verdict = connectivity.evidence?.verdict else { return nil }
            self.init(rawValue: verdict.reason?.rawValue ?? verdict.reportName)
        case .unknown: self = .notVisible
        case .online, .unverified, .captivePortal: return nil
        }
    }
}
