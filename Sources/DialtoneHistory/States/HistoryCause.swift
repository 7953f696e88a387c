//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

/// Why a state of the history began, as a code.
///
/// For `offline` it is a ``Dialtone/PathDiagnosis/Reason``, for `limited` a
/// ``Dialtone/InternetCheck/NoInternetReason`` or `partial`, each by its raw value; for times that were not watched one of
/// the codes below. Unknown ones are kept, so that an older program can read what a newer one wrote.
public struct HistoryCause: RawRepresentable, Codable, Hashable, Sendable {
    /// The code.
    public let rawValue: String

    /// Names a cause; only the first 64 characters are kept.
    public init(rawValue: String) { self.rawValue = String(rawValue.prefix(64)) }

    /// HTTP passed, HTTPS did not.
    public static let partial = HistoryCause(rawValue: "partial")
    /// The network could not be seen.
    public static let notVisible = HistoryCause(rawValue: "notVisible")
    /// The watching was ended as it should be.
    public static let stopped = HistoryCause(rawValue: "stopped")
    /// The watching ended without a word: a crash, a kill, a power cut.
    public static let crashed = HistoryCause(rawValue: "crashed")
    /// Watching has just begun.
    public static let started = HistoryCause(rawValue: "started")
    /// The clock was set: forward, and these hours never passed, or back, and they are told anew.
    public static let clockSet = HistoryCause(rawValue: "clockSet")
    /// The host was suspended.
    public static let suspended = HistoryCause(rawValue: "suspended")
    /// The host was switched off, or started anew.
    public static let off = HistoryCause(rawValue: "off")
    /// Records were given up for want of room.
    public static let discarded = HistoryCause(rawValue: "discarded")
    /// Nothing was recorded as early as this, or it was removed by age or size.
    public static let noRecord = HistoryCause(rawValue: "noRecord")
}

extension HistoryCause: CustomStringConvertible {
    /// The code.
    public var description: String { rawValue }
}

extension HistoryCause {
    /// Why a monitor's value is what it is; nil where nothing more is known than the state says.
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
