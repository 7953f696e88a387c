//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import Dispatch
import Synchronization

/// Reports whether the network can be reached, based on the path.
public final class NetworkMonitor: NetworkReachabilityProvider, Sendable {
    private struct Session {
        let monitor: NWPathMonitor
        let period: LatestValue<NetworkReachabilityStatus>.ListeningPeriod
    }

    private let makeMonitor: @Sendable () -> NWPathMonitor
    private let session = Mutex<Session?>(nil)
    private let status = LatestValue<NetworkReachabilityStatus>()
    private let queue = DispatchQueue(label: "dialtone.reachability")

    /// Monitors every type of interface.
    public convenience init() { self.init { PathFilter().makeMonitor() } }

    /// Monitors only interfaces of one type.
    public convenience init(requiredInterfaceType type: NWInterface.InterfaceType) {
        self.init { PathFilter(requiredType: type).makeMonitor() }
    }

    init(_ makeMonitor: @escaping @Sendable () -> NWPathMonitor) { self.makeMonitor = makeMonitor }

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
        let (new, period) = (makeMonitor(), LatestValue<NetworkReachabilityStatus>.ListeningPeriod())
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
    /// Creates the status that a path represents.
    init(_ path: NWPath) {
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
