// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneSupport

/// The progress of the request that a visitor started.
struct RequestProgress: Hashable, Sendable {
    /// The phases; each request passes the first once, and ends with the last.
    enum Phase: Hashable, Sendable {
        /// No request has been started yet.
        case unknown
        /// The request is in progress.
        case checking
        /// The request is waiting for this reason.
        case waiting(WaitReason)
        /// The request is finished.
        case finished(RequestOutcome)
    }

    /// The current phase.
    var phase = Phase.unknown
    /// The time when the request was started.
    var began: Date?
    /// The time when the request finished.
    var ended: Date?
    /// The number of attempts.
    var attempts = 0
    /// The status of the server's response.
    var status: Int?

    /// The phase in terms a user understands: the states of a `RequestStatus`, and `waiting`.
    enum Kind: String, Hashable, Sendable {
        case unknown, checking, waiting, online, offline, serverTrouble, failed
    }

    /// The phase in terms a user understands.
    var kind: Kind {
        switch phase {
        case .unknown: .unknown
        case .checking: .checking
        case .waiting: .waiting
        case .finished(let outcome):
            switch RequestStatus.State(outcome) {
            case .online: .online
            case .offline: .offline
            case .serverTrouble: .serverTrouble
            case .failed: .failed
            // A cancelled request has no state of its own.
            case nil, .unknown, .checking: .unknown
            }
        }
    }

    /// Whether the request is still in progress.
    var isUnderWay: Bool { kind == .checking || kind == .waiting }
}

/// The data of the event `request`.
extension RequestProgress: Encodable {
    private enum CodingKeys: String, CodingKey { case state, outcome, status, attempts, began, ended }

    func encode(to encoder: any Encoder) throws {
        let outcome: String? = if case .finished(let outcome) = phase { outcome.code.rawValue } else { nil }
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(kind.rawValue, forKey: .state)
        try object.encode(outcome, forKey: .outcome)
        try object.encode(status, forKey: .status)
        try object.encode(attempts, forKey: .attempts)
        try object.encode(began.map(ISOTime.iso), forKey: .began)
        try object.encode(ended.map(ISOTime.iso), forKey: .ended)
    }
}
