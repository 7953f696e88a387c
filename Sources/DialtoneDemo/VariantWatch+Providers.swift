// SPDX-License-Identifier: Apache-2.0

#if Publishers

import DialtoneCombine
import DialtoneNotifications
import Dispatch

extension VariantWatch {
    /// Starts the reachability providers of DialtoneCombine.
    func startProviders(_ source: any VariantSource) {
        if let listener = source.makeListener(.defaultRoute) {
            start(.reachabilityProvider, NetworkReachability(listener, queue: queue))
        }
        start(.pathProvider, NetworkMonitor(queue: queue) { source.makePathMonitor(requiredInterfaceType: nil) })
        if let listener = source.makeListener(.defaultRoute) {
            start(.callbackProvider, CallbackReachabilityProvider(ClosureReachability(listener, queue)))
        }
    }

    private func start(_ variant: Variant, _ provider: some NetworkReachabilityProvider & Sendable) {
        // OpenCombine's type may be used on any thread, but does not declare that. It is only cancelled, once.
        nonisolated(unsafe) let subscription = provider.networkStatusHandler.sink { [weak self] status in
            self?.record(status.name, of: variant)
        }
        provider.startListening()
        whenStopped {
            provider.stopListening()
            unsafe subscription.cancel()
        }
    }
}

/// A reachability object that calls a closure, as those of other libraries do.
private final class ClosureReachability: CallbackReachability {
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)?
    private let listener: ReachabilityListener
    private let queue: DispatchQueue

    init(_ listener: ReachabilityListener, _ queue: DispatchQueue) {
        self.listener = listener
        self.queue = queue
    }

    var currentStatus: NetworkReachabilityStatus { NetworkReachabilityStatus(listener.flags) }

    func startNotifier() {
        guard let statusHandler else { return }
        listener.start(queue: queue) { statusHandler(NetworkReachabilityStatus($0)) }
    }

    func stopNotifier() { listener.stop() }
}

extension NetworkReachabilityStatus {
    /// The name of the case, with the type of connection.
    fileprivate var name: String {
        switch self {
        case .unknown: "unknown"
        case .notReachable: "notReachable"
        case .reachable(.ethernetOrWiFi): "reachable(ethernetOrWiFi)"
        case .reachable(.wwan): "reachable(wwan)"
        }
    }
}

#endif
