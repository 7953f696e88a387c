//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// What a program's own last request says of its connectivity.
///
/// It begins as `unknown`, is `checking` while a request is under way, and then what became of the request.
public struct RequestStatus: Hashable, Sendable {
    /// The one answer.
    public enum State: String, Hashable, Sendable, CaseIterable, Codable {
        /// No request has ended yet.
        case unknown
        /// A request is under way.
        case checking
        /// The server answered, based upon the last request.
        case online
        /// There is no connection, or the network wants a login first.
        case offline
        /// The server answered that it is in trouble: a status of 500 or more.
        case serverTrouble
        /// No usable answer came, though this machine is connected; the outcome tells why.
        case failed
    }

    /// The one answer.
    public var state: State
    /// What became of the last request that has ended; nil before the first.
    ///
    /// It stays while another is under way.
    public var outcome: RequestOutcome?
    /// When that was; nil before the first.
    public var updatedAt: Date?

    /// Makes a status; without arguments, the first.
    public init(_ state: State = .unknown, outcome: RequestOutcome? = nil, updatedAt: Date? = nil) {
        self.state = state
        self.outcome = outcome
        self.updatedAt = updatedAt
    }

    /// What to tell a person.
    ///
    /// - Parameters:
    ///   - catalog: the texts.
    ///   - languages: the languages that the person reads, best first, as BCP 47 tags or as POSIX names of locales;
    ///     without it, those of this process's environment.
    public func advice(
        from catalog: AdviceCatalog = .standard, in languages: [String] = PreferredLanguages.ofThisProcess()
    ) -> Advice {
        if state == .unknown || state == .checking { return catalog.advice(for: state, in: languages) }
        return outcome?.advice(from: catalog, in: languages) ?? catalog.advice(for: .unknown, in: languages)
    }
}

extension RequestStatus.State {
    /// What an outcome makes of it; a cancelled request says nothing.
    init?(_ outcome: RequestOutcome) {
        switch outcome {
        case .cancelled: return nil
        case .delivered, .clientError: self = .online
        case .serverError: self = .serverTrouble
        case .offline, .captivePortal: self = .offline
        case .unexpectedBody, .timedOut, .nameNotFound, .cannotConnect, .connectionLost, .tlsFailure, .failed:
            self = .failed
        }
    }
}
