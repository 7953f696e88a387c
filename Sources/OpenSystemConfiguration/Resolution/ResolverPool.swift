// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dispatch
import Netlink
package import NetworkModel
import Synchronization
import SystemSupport

/// A few threads that resolve names, so that callers never block.
///
/// A thread that waits for a silent server cannot be interrupted. When the network changes, such threads are no longer
/// counted, so that new lookups need not wait for them; the total is still bounded. The threads are started by
/// a thread of the pool, which runs in the network namespace of the first caller.
final class ResolverPool: Sendable {
    typealias Completion = @Sendable (NameAnswer) -> Void

    private let core: Core

    init(_ lookup: @escaping NameLookup) { core = Core(lookup) }

    deinit { core.close() }

    /// Resolves a name.
    ///
    /// Queued lookups of the same name are merged.
    ///
    /// - Parameter completion: called once, on a thread of the pool; never if the pool is released before.
    func resolve(_ name: RawHostName, _ completion: @escaping Completion) {
        core.enqueue(name, completion)
    }

    /// Stops counting the lookups under way, because the network has changed.
    func networkChanged() { core.disregardRunning() }

    /// The number of lookups under way.
    var runningCount: Int { core.runningCount }
}

extension ResolverPool {
    /// The limit of concurrent lookups on the current network.
    static let mostRunning = 8
    /// The same limit, including lookups that started on earlier networks.
    static let mostThreads = 32

    /// The state that the threads share; they retain it, but not the pool.
    fileprivate final class Core: Sendable {
        fileprivate struct State {
            var waiting: [RawHostName] = []
            var completions: [RawHostName: [Completion]] = [:]
            var running = 0
            /// The number of workers that have not dequeued their first name yet.
            var starting = 0
            var disregarded = 0
            /// Counts changes of the network.
            var era: UInt64 = 0
            var hasStarter = false
            var isClosed = false

            var mayStart: Bool {
                waiting.count > starting && running < mostRunning && running + disregarded < mostThreads
            }
        }

        private let state = Mutex(State())
        private let starterIsNeeded = DispatchSemaphore(value: 0)
        private let lookup: NameLookup

        init(_ lookup: @escaping NameLookup) { self.lookup = lookup }

        var runningCount: Int { state.withLock { $0.running + $0.disregarded } }

        func enqueue(_ name: RawHostName, _ completion: @escaping Completion) {
            let mustStartStarter = state.withLock { state in
                if state.completions[name] == nil { state.waiting.append(name) }
                state.completions[name, default: []].append(completion)
                defer { state.hasStarter = true }
                return !state.hasStarter
            }
            if mustStartStarter { startStarter() }
            starterIsNeeded.signal()
        }

        func disregardRunning() {
            state.withLock { state in
                state.disregarded += state.running
                state.running = 0
                state.era += 1
            }
            starterIsNeeded.signal()
        }

        func close() {
            state.withLock { state in
                state.isClosed = true
                state.waiting = []
                state.completions = [:]
            }
            starterIsNeeded.signal()
        }

        private func startStarter() {
            do {
                try DedicatedThread.start(name: "dialtone.names") { self.startWorkers() }
            } catch {
                // No thread can be started; the next lookup tries again.
                failWaiting { $0.hasStarter = false }
            }
        }

        /// Runs on the starter's thread until the pool is closed.
        private func startWorkers() {
            while true {
                starterIsNeeded.wait()
                if state.withLock({ $0.isClosed }) { return }
                while let era = state.withLock({ $0.begin() }) {
                    do {
                        try DedicatedThread.start(name: "dialtone.lookup") { self.work(era) }
                    } catch {
                        failWaiting { state in
                            state.starting -= 1
                            state.end(era)
                        }
                        break
                    }
                }
            }
        }

        /// Runs on a worker's thread while there are queued names.
        private func work(_ era: UInt64) {
            var job = state.withLock { state in
                state.starting -= 1
                return state.next(era)
            }
            while let (name, completions) = job {
                let answer = lookup(name)
                for completion in completions { completion(answer) }
                job = state.withLock { $0.next(era) }
            }
            starterIsNeeded.signal()
        }

        private func failWaiting(_ change: (inout State) -> Void) {
            let completions = state.withLock { state in
                change(&state)
                defer {
                    state.waiting = []
                    state.completions = [:]
                }
                return state.completions.values.joined().map(\.self)
            }
            for completion in completions { completion(.temporaryFailure) }
        }
    }
}

extension ResolverPool.Core.State {
    /// Counts a new worker if one is needed and allowed, and returns its network's number.
    fileprivate mutating func begin() -> UInt64? {
        guard mayStart else { return nil }
        running += 1
        starting += 1
        return era
    }

    fileprivate mutating func end(_ workersEra: UInt64) {
        if workersEra == era { running -= 1 } else { disregarded -= 1 }
    }

    /// Dequeues the next name for a worker.
    ///
    /// If the queue is empty or the network has changed, it returns nil, and the worker is no longer counted.
    fileprivate mutating func next(_ workersEra: UInt64) -> (RawHostName, [ResolverPool.Completion])? {
        guard workersEra == era, !waiting.isEmpty else {
            end(workersEra)
            return nil
        }
        let name = waiting.removeFirst()
        return (name, completions.removeValue(forKey: name) ?? [])
    }
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

/// The intervals in seconds at which a name is resolved again, while nothing else triggers that.
package struct ResolutionPace: Hashable, Sendable {
    /// After the first temporary failure; it doubles with each further one.
    package var firstRetry = 1.0
    /// The longest interval after failures.
    package var longestRetry = 60.0
    /// After an answer, because the C library does not report its time to live.
    package var refresh = 300.0

    package init(firstRetry: Double = 1, longestRetry: Double = 60, refresh: Double = 300) {
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.refresh = refresh
    }

    /// The interval: `refresh` without failures; then `firstRetry`, doubled with each failure up to `longestRetry`.
    func wait(afterFailures failures: Int) -> Double {
        failures == 0 ? refresh : min(firstRetry * Double(1 << min(failures - 1, 16)), longestRetry)
    }
}

#endif
