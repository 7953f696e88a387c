// SPDX-License-Identifier: Apache-2.0

#if !os(watchOS)

/// Paths that are derived from reachability flags, for a `ConnectivityMonitor` over SystemConfiguration.
///
/// ```swift
/// let monitor = try ConnectivityMonitor(.init(), paths: ReachabilityPathSource(), checker: InternetCheck())
/// ```
///
/// `SystemPathSource`, the default, provides more. Flags contain neither interfaces nor the reason why there is no
/// path, and do not distinguish Wi-Fi from Ethernet, so a change between these is not noticed.
public struct ReachabilityPathSource: PathSource {
    private let makeListener: @Sendable () -> ReachabilityListener?

    /// Creates a source that follows the default route.
    public init() { self.init { ReachabilityListener() } }

    /// Creates a source that follows the route to a host, given as a name or a numeric address.
    public init(host: String) { self.init { ReachabilityListener(host: host) } }

    init(_ makeListener: @escaping @Sendable () -> ReachabilityListener?) { self.makeListener = makeListener }

    /// Subscribes to the paths; see `PathSource`.
    ///
    /// If the system refuses to watch, it delivers one path that is unknown.
    public func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription {
        let listener = makeListener()
        let queue = DispatchQueue(label: "dialtone.connectivity")
        if listener?.start(queue: queue, handler: { receive(NetworkPath($0)) }) != true {
            queue.async {
                receive(NetworkPath(status: .unsatisfied, limitation: .unavailable("reachability cannot be watched")))
            }
        }
        return UpdateSubscription { listener?.stop() }
    }
}

extension NetworkPath {
    /// Creates the path that flags represent, by the classic rule; see `SCNetworkReachabilityFlags.isReachable`.
    ///
    /// Flags do not contain the IP versions and name servers: a satisfied path is assumed to have all.
    public init(_ flags: SCNetworkReachabilityFlags) {
        let isReachable = flags.isReachable
        let requiresConnection = !isReachable && flags.isSuperset(of: [.reachable, .connectionRequired])
        self.init(
            status: isReachable ? .satisfied : requiresConnection ? .requiresConnection : .unsatisfied,
            usedInterfaceTypes: isReachable && flags.isCellular ? [.cellular] : [], supportsIPv4: isReachable,
            supportsIPv6: isReachable, supportsDNS: isReachable, isExpensive: isReachable && flags.isCellular)
    }
}

#endif
