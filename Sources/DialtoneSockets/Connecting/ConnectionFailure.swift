// SPDX-License-Identifier: Apache-2.0

/// Why a connection could not be made, as an error of the caller's own type.
package protocol ConnectionFailure: Error, Hashable, Sendable {
    /// Creates the failure from an error number of the system.
    init(connecting failure: SocketFailure)

    /// How conclusive the failure is about the host.
    var weight: ConnectionFailureWeight { get }
}

/// Of the failures of several addresses, the greatest is reported.
package enum ConnectionFailureWeight: Int, Comparable {
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

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
