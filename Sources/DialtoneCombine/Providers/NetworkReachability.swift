// SPDX-License-Identifier: Apache-2.0

#if (canImport(Darwin) || Publishers) && !os(watchOS)

public import DialtoneNotifications
public import Dispatch
import SystemSupport

/// Reports whether the network can be reached, based on the flags of a host or of the default route.
///
/// ```swift
/// guard let provider = NetworkReachability() else { return }
/// provider.networkStatusHandler.sink { print($0) }.store(in: &cancellables)
/// provider.startListening()
/// ```
public final class NetworkReachability: NetworkReachabilityProvider, Sendable {
    private let listener: ReachabilityListener
    private let status = LatestValue<NetworkReachabilityStatus>()
    private typealias ListeningPeriod = LatestValue<NetworkReachabilityStatus>.ListeningPeriod
    private let period = Mutex<ListeningPeriod?>(nil)
    private let queue: DispatchQueue

    /// Listens to the default route; nil if the system refuses.
    ///
    /// - Parameter queue: the queue that receives the flags, and on which subscribers are called.
    public convenience init?(queue: DispatchQueue = .main) {
        guard let listener = ReachabilityListener() else { return nil }
        self.init(listener, queue: queue)
    }

    /// Listens to a host, given as a name or a numeric address; nil for an empty text.
    ///
    /// - Parameters:
    ///   - host: the name or address.
    ///   - queue: the queue that receives the flags, and on which subscribers are called.
    public convenience init?(host: String, queue: DispatchQueue = .main) {
        guard let listener = ReachabilityListener(host: host) else { return nil }
        self.init(listener, queue: queue)
    }

    /// Listens to a given target, which no other code may have scheduled.
    ///
    /// - Parameters:
    ///   - reachability: the target: an address, a pair of addresses, or a name.
    ///   - queue: the queue that receives the flags, and on which subscribers are called.
    public convenience init(reachability: SCNetworkReachability, queue: DispatchQueue = .main) {
        self.init(ReachabilityListener(reachability), queue: queue)
    }

    package init(_ listener: ReachabilityListener, queue: DispatchQueue = .main) {
        self.listener = listener
        self.queue = queue
    }

    deinit {
        listener.stop()
        status.finish()
    }

    /// The status, derived from the flags; see `NetworkReachabilityProvider`.
    public var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { status.publisher }

    /// Starts listening; see `NetworkReachabilityProvider`.
    @discardableResult
    public func startListening() -> AnyPublisher<Bool, Never> {
        let isListening = period.withLock { period in
            guard period == nil else { return true }
            let new = ListeningPeriod()
            let hasStarted = listener.start(queue: queue) { [status] in
                status.send(NetworkReachabilityStatus($0), in: new)
            }
            if hasStarted { period = new }
            return hasStarted
        }
        return AnyPublisher(Just(isListening))
    }

    /// Stops listening; see `NetworkReachabilityProvider`.
    public func stopListening() {
        period.withLock { period in
            listener.stop()
            // Under the lock, so that this does not end the period of a concurrent start.
            if let old = period { status.end(old) }
            period = nil
        }
    }
}

extension NetworkReachabilityStatus {
    /// Creates the status that flags represent, by the classic rule; see `SCNetworkReachabilityFlags.isReachable`.
    public init(_ flags: SCNetworkReachabilityFlags) {
        self = flags.isReachable ? .reachable(flags.isCellular ? .wwan : .ethernetOrWiFi) : .notReachable
    }
}

#endif
