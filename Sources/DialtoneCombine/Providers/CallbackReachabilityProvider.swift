//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import Synchronization

/// A provider that wraps any callback-based reachability object.
///
/// `@unchecked Sendable`: only the one thread that has set `isBusy` uses the object, outside the lock.
public final class CallbackReachabilityProvider: NetworkReachabilityProvider, @unchecked Sendable {
    private typealias Stint = LatestValue<NetworkReachabilityStatus>.Stint

    private struct State {
        var isWanted = false
        /// The current listening period, from the object's start to its stop.
        var stint: Stint?
        var isBusy = false
    }

    private enum Step { case start(Stint), stop(Stint) }

    private let reachability: any CallbackReachability
    private let state = Mutex(State())
    private let status = LatestValue<NetworkReachabilityStatus>()

    /// Wraps an object; no other code may use it afterwards.
    public init(_ reachability: any CallbackReachability) { self.reachability = reachability }

    deinit {
        // Stop a started object; no other code can be using it now.
        if state.withLock({ $0.stint }) != nil { reachability.stopNotifier() }
        reachability.statusHandler = nil
        status.finish()
    }

    /// The object's status; see `NetworkReachabilityProvider`.
    public var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { status.publisher }

    /// Starts listening; see `NetworkReachabilityProvider`.
    ///
    /// The result is false if the object throws an error.
    @discardableResult
    public func startListening() -> AnyPublisher<Bool, Never> {
        state.withLock { $0.isWanted = true }
        settle()
        return AnyPublisher(Just(state.withLock { $0.isWanted }))
    }

    /// Stops listening; see `NetworkReachabilityProvider`.
    public func stopListening() {
        let stint = state.withLock { state in
            state.isWanted = false
            return state.stint
        }
        if let stint { status.end(stint) }
        settle()
    }

    /// Starts or stops the object until it is in the requested state, unless another call is already doing that.
    private func settle() {
        let mustSettle = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard mustSettle else { return }
        while let step = nextStep() {
            switch step {
            case .start(let stint): start(stint)
            case .stop(let stint): stop(stint)
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            switch state.stint {
            case nil where state.isWanted:
                let stint = Stint()
                state.stint = stint
                return .start(stint)
            // Stopped, and possibly started again since.
            case let stint? where stint.hasEnded: return .stop(stint)
            default:
                state.isBusy = false
                return nil
            }
        }
    }

    private func start(_ stint: Stint) {
        reachability.statusHandler = { [status] in status.send($0, in: stint) }
        do {
            try reachability.startNotifier()
        } catch {
            reachability.statusHandler = nil
            status.end(stint)
            state.withLock { state in
                state.stint = nil
                state.isWanted = false
            }
            return
        }
        // This has no effect if the object has already reported a status.
        status.send(reachability.currentStatus, in: stint, onlyAsFirst: true)
    }

    private func stop(_ stint: Stint) {
        status.end(stint)
        reachability.stopNotifier()
        reachability.statusHandler = nil
        state.withLock { $0.stint = nil }
    }
}

#endif
