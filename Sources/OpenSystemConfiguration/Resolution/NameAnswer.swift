// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import NetworkModel
import SystemResolution

/// The resolver's answer for a name.
package enum NameAnswer: Hashable, Sendable {
    /// It has these addresses.
    case addresses([NetworkAddress])
    /// It does not exist, or has no address.
    case notFound
    /// No name server could be queried, or none answered.
    case temporaryFailure

    /// The addresses; empty in the other cases.
    package var addresses: [NetworkAddress] {
        if case .addresses(let addresses) = self { addresses } else { [] }
    }
}

extension NameAnswer {
    /// Queries the system's resolver, without a time limit.
    static func ofSystem(_ name: RawHostName) -> NameAnswer {
        switch SystemResolution.addresses(of: name.cString) {
        case .success(let found): .addresses(found.map { NetworkAddress(target: $0) })
        case .failure(let failure):
            switch failure.reason {
            case .noAnswer, .noMemory: .temporaryFailure
            case .noSuchName, .noAddress, .refused: .notFound
            }
        }
    }
}

/// Resolves a name; called on a thread that may block.
package typealias NameLookup = @Sendable (RawHostName) -> NameAnswer

#endif
