//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

package import NetworkModel
import SystemResolution

/// What the resolver says about a name.
package enum NameAnswer: Hashable, Sendable {
    /// It has these addresses.
    case addresses([NetworkAddress])
    /// It does not exist, or has no address.
    case notFound
    /// Nobody could be asked, or nobody answered.
    case temporaryFailure

    /// The addresses; none unless it has some.
    package var addresses: [NetworkAddress] {
        if case .addresses(let addresses) = self { addresses } else { [] }
    }
}

extension NameAnswer {
    /// What the system's resolver says, however long that takes.
    static func ofSystem(_ name: HostName) -> NameAnswer {
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

/// Asks for a name, and takes its time: called on a thread that may be kept waiting.
package typealias NameLookup = @Sendable (HostName) -> NameAnswer

#endif
