// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import NetworkModel
import SystemSupport

/// Threads that resolve names in the network namespace of the first caller, so that callers never block.
///
/// When the network changes, threads that wait for a silent server are no longer counted, so that new lookups need not
/// wait for them; the total is still bounded.
final class NamespaceLookupPool: Sendable {
    typealias Completion = @Sendable (NameAnswer) -> Void

    /// The limit of concurrent lookups on the current network.
    static let mostRunning = 8
    /// The same limit, including lookups that started on earlier networks.
    static let mostThreads = 32

    private let spawner: ThreadSpawner
    let pool: LookupPool<RawHostName, NameAnswer>

    init(_ lookup: @escaping NameLookup) {
        let spawner = ThreadSpawner(name: "dialtone.lookup")
        self.spawner = spawner
        // A call that has started answers no later caller, because it may have queried the previous network.
        let queue = LookupQueue<RawHostName, NameAnswer>(
            hopefulCalls: Self.mostRunning, calls: Self.mostThreads, patience: nil, sharing: .zero)
        pool = LookupPool(
            queue, withoutThread: .temporaryFailure,
            start: { spawner.start($0, refused: $1) }, lookUp: lookup)
    }

    deinit {
        pool.cancelWaiting()
        spawner.close()
    }

    /// Resolves a name.
    ///
    /// Queued lookups of the same name are merged.
    ///
    /// - Parameter completion: called once, on a thread of the pool; never if the pool is released before the lookup
    /// starts.
    func resolve(_ name: RawHostName, _ completion: @escaping Completion) { pool.resolve(name, completion) }

    /// Stops counting the lookups under way, because the network has changed.
    func networkChanged() { pool.networkChanged() }
}

/// The resolver's answer for a name.
package enum NameAnswer: Hashable, Sendable {
    /// It has these addresses.
    case addresses([NetworkAddress])
    /// It does not exist, or has no address.
    case notFound
    /// No name server could be queried, or none answered.
    case temporaryFailure

    /// The addresses; empty in the other cases.
    var addresses: [NetworkAddress] {
        if case .addresses(let addresses) = self { addresses } else { [] }
    }
}

extension NameAnswer {
    /// Queries the system's resolver, without a time limit.
    static func ofSystem(_ name: RawHostName) -> NameAnswer {
        switch AddressLookup.addresses(of: name.cString) {
        case .success(let found): .addresses(found.map { NetworkAddress(target: $0) })
        case .failure(let failure):
            switch failure.reason {
            case .noAnswer, .noResources: .temporaryFailure
            case .noSuchName, .noAddress, .refused: .notFound
            }
        }
    }
}

/// Resolves a name; called on a thread that may block.
package typealias NameLookup = @Sendable (RawHostName) -> NameAnswer

/// The intervals in seconds at which a name is resolved again, while nothing else triggers that.
package struct ResolutionPace: Hashable, Sendable {
    /// After the first temporary failure; it doubles with each further one.
    var firstRetry = 1.0
    /// The longest interval after failures.
    var longestRetry = 60.0
    /// After an answer, because the C library does not report its time to live.
    var refresh = 300.0
}

#endif
