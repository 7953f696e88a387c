//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a connection could not be made, as an error of the caller's own type.
protocol ConnectionFailure: Error, Hashable, Sendable {
    /// Creates the failure from an error number of the system.
    init(connecting failure: SocketFailure)

    /// How conclusive the failure is about the host.
    var weight: ConnectionFailureWeight { get }
}

/// Of the failures of several addresses, the greatest is reported.
enum ConnectionFailureWeight: Int, Comparable {
    /// The attempt could not be made over the required interface or address.
    case notTried
    /// There is no route to the address.
    case noWay
    /// The address did not answer, or answered incorrectly.
    case noAnswer
    /// The host was reached, and refused.
    case refusal
    /// This machine could not connect to any address.
    case inability

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

extension HostError: ConnectionFailure {
    init(connecting failure: SocketFailure) { self.init(failure) }

    var weight: ConnectionFailureWeight {
        switch code {
        case .refused: .refusal
        case .unreachable: .noWay
        default: .noAnswer
        }
    }
}

#if !canImport(Darwin)
extension ProbeError: ConnectionFailure {
    init(connecting failure: SocketFailure) { self = .connecting(failure) }

    var weight: ConnectionFailureWeight {
        switch code {
        case .noResources, .notPermitted: .inability
        case .refused: .refusal
        case .connectionLost, .timedOut: .noAnswer
        case .unreachable: .noWay
        default: .notTried
        }
    }
}
#endif
