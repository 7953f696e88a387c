//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a connection could not be made, in the words of whoever wanted it.
package protocol ConnectionFailure: Error, Hashable, Sendable {
    /// Translates an error number of the system.
    init(connecting failure: SocketFailure)

    /// How conclusive the failure is about the host.
    var weight: ConnectionFailureWeight { get }
}

/// Of the failures of several addresses, the greatest is reported.
package enum ConnectionFailureWeight: Int, Comparable {
    /// The attempt could not be made by way of what it was to be tied to.
    case notTried
    /// There is no way to the address.
    case noWay
    /// The address did not answer, or not as it should.
    case noAnswer
    /// The host was there, and refused.
    case refusal
    /// This machine could not try, whatever the address.
    case inability

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
