// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

public import Dispatch
public import OpenNetwork
import SystemSupport

/// Reports whether the network can be reached, based on the path.
public final class NetworkMonitor: NetworkReachabilityProvider, Sendable {
    private struct Session {
        let monitor: NWPathMonitor
        let period: LatestValue<NetworkReachabilityStatus>.ListeningPeriod
    }

    private let makeMonitor: @Sendable () -> NWPathMonitor
    private let session = Mutex<Session?>(nil)
    private let status = LatestValue<NetworkReachabilityStatus>()
    private let queue: DispatchQueue

    /// Monitors every type of interface.
    ///
    /// - Parameter queue: the queue that receives the paths, and on which subscribers are called.
    public convenience init(queue: DispatchQueue = .main) { self.init(queue: queue) { PathFilter().makeMonitor() } }

    /// Monitors only interfaces of one type.
    ///
    /// - Parameters:
    ///   - type: the type of interface.
    ///   - queue: the queue that receives the paths, and on which subscribers are called.
    public convenience init(requiredInterfaceType type: NWInterface.InterfaceType, queue: DispatchQueue = .main) {
        self.init(queue: queue) { PathFilter(requiredType: type).makeMonitor() }
    }

    package init(queue: DispatchQueue = .main, _ makeMonitor: @escaping @Sendable () -> NWPathMonitor) {
        self.makeMonitor = makeMonitor
        self.queue = queue
    }

    deinit {
        session.withLock { $0 }?.monitor.cancel()
        status.finish()
    }

    /// The status, derived from the path; see `NetworkReachabilityProvider`.
    ///
    /// A path that first requires a connection counts as not reachable.
    public var networkStatusHandler: AnyPublisher<NetworkReachabilityStatus, Never> { status.publisher }

    /// Starts listening; see `NetworkReachabilityProvider`.
    @discardableResult
    public func startListening() -> AnyPublisher<Bool, Never> {
        let new = makeMonitor()
        let period = LatestValue<NetworkReachabilityStatus>.ListeningPeriod()
        new.pathUpdateHandler = { [status] in status.send(NetworkReachabilityStatus($0), in: period) }
        let isNew = session.withLock { session in
            guard session == nil else { return false }
            session = Session(monitor: new, period: period)
            return true
        }
        if isNew { new.start(queue: queue) }
        return AnyPublisher(Just(true))
    }

    /// Stops listening; see `NetworkReachabilityProvider`.
    public func stopListening() {
        let old = session.withLock { session in
            // Under the lock, so that this does not end the period of a concurrent start.
            if let period = session?.period { status.end(period) }
            defer { session = nil }
            return session
        }
        old?.monitor.cancel()
    }
}

extension NetworkReachabilityStatus {
    /// Creates the status that a path represents: `wwan` if it uses a mobile network, otherwise `ethernetOrWiFi`.
    ///
    /// A path that first requires a connection is not reachable. If the network cannot be seen, the status is unknown.
    public init(_ path: NWPath) {
        if NetworkPath(path).isUnknown {
            self = .unknown
        } else if path.status == .satisfied {
            self = .reachable(path.usesInterfaceType(.cellular) ? .wwan : .ethernetOrWiFi)
        } else {
            self = .notReachable
        }
    }
}

#endif
