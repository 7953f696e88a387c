//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import FoundationEssentials

/// Where the request stands that somebody asked for.
struct RequestProgress: Hashable, Sendable {
    /// The steps, of which a request sees the first once, and the last at its end.
    enum Phase: Hashable, Sendable {
        /// Nobody has asked yet.
        case unknown
        /// It is under way.
        case checking
        /// It waits for this.
        case waiting(WaitReason)
        /// It has come to its end.
        case finished(RequestOutcome)
    }

    /// Where it stands.
    var phase = Phase.unknown
    /// When it was asked for.
    var began: Date?
    /// When it came to its end.
    var ended: Date?
    /// How often it was tried.
    var attempts = 0
    /// The status of the server's answer.
    var status: Int?

    /// What a person would call it.
    enum Kind: String, Hashable, Sendable {
        case unknown, checking, waiting, online, offline, serverTrouble
    }

    /// What a person would call it.
    var kind: Kind {
        switch phase {
        case .unknown: .unknown
        case .checking: .checking
        case .waiting: .waiting
        case .finished(.delivered): .online
        case .finished(.offline), .finished(.captivePortal): .offline
        case .finished: .serverTrouble
        }
    }

    /// Whether it goes on.
    var isUnderWay: Bool { kind == .checking || kind == .waiting }

    /// The data of the event `request`.
    var json: String {
        let outcome: String? = if case .finished(let outcome) = phase { outcome.code.rawValue } else { nil }
        return "{\"state\":\(JSONText.quoted(kind.rawValue)),\"outcome\":\(JSONText.quoted(outcome)),"
            + "\"status\":\(status.map { "\($0)" } ?? "null"),\"attempts\":\(attempts),"
            + "\"began\":\(JSONText.quoted(began.map(Moment.iso))),\"ended\":\(JSONText.quoted(ended.map(Moment.iso)))}"
    }
}
