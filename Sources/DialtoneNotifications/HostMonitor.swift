// SPDX-License-Identifier: Apache-2.0

#if !os(watchOS)

extension Notification.Name {
    /// The route to a host changed.
    ///
    /// The object is a `HostMonitor`. The keys of `userInfo` are those of `HostMonitor.Key`; `HostMonitor.Update` reads
    /// them.
    public static let hostReachabilityDidChange = Notification.Name("dialtone.host.didChange")
}

/// Posts a notification for each change of the route to one host.
///
/// ```swift
/// guard let monitor = HostMonitor(hostname: "example.com") else { return }
/// let token = NotificationCenter.default.addObserver(
///     forName: .hostReachabilityDidChange, object: monitor, queue: nil
/// ) {
///     guard let update = HostMonitor.Update($0) else { return }
///     print(update.hostname, update.isReachable)
/// }
/// monitor.start(queue: .main)
/// ```
public final class HostMonitor: Sendable {
    /// The name of the notifications, also `Notification.Name.hostReachabilityDidChange`; their object is the monitor.
    public static let didChange = Notification.Name.hostReachabilityDidChange

    /// The keys of `userInfo`.
    ///
    /// Each value follows from flags as in Apple's sample code. `reachableViaWiFi` alone does not mean that a connection
    /// is possible now, because one may have to be made first; `Update.isReachable` combines the values.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// `Bool`: the flags contain `reachable`, and the route is not over a mobile network.
        case reachableViaWiFi
        /// `Bool`: the flags contain `reachable`, and the route is over a mobile network.
        case reachableViaCellular
        /// `Bool`: a connection must be made first.
        case connectionRequired
        /// `Bool`: a connection must be made first, and traffic establishes it automatically.
        case connectionIsDynamic
        /// `Bool`: a connection must be made first, and the user must act before that.
        case userActionRequired
        /// `String`: the host, as it was given.
        case hostname
    }

    /// The host, as it was given; for an address, its text.
    public let hostname: String
    private let center: NotificationCenter
    private let listener: ReachabilityListener

    /// Creates a monitor for a host; nil for an empty text.
    ///
    /// - Parameters:
    ///   - hostname: a name, or a numeric address.
    ///   - center: the notification center to post to.
    public convenience init?(hostname: String, center: NotificationCenter = .default) {
        guard let listener = ReachabilityListener(host: hostname) else { return nil }
        self.init(hostname, listener, center)
    }

    /// Creates a monitor for an address, which needs no resolver; nil if the system refuses.
    ///
    /// A server's address may change, and may not exist on a network without its IP version, so a name is usually
    /// better. An address suits a device on the local network.
    ///
    /// - Parameters:
    ///   - address: an IPv4 or IPv6 address.
    ///   - center: the notification center to post to.
    public convenience init?(address: any IPAddress, center: NotificationCenter = .default) {
        guard let listener = ReachabilityListener(address: address) else { return nil }
        self.init("\(address)", listener, center)
    }

    /// Creates a monitor for a given target, which no other code may have scheduled.
    ///
    /// - Parameters:
    ///   - target: an address, a pair of addresses, or a name.
    ///   - hostname: the value to post as `hostname`.
    ///   - center: the notification center to post to.
    public convenience init(_ target: SCNetworkReachability, hostname: String, center: NotificationCenter = .default) {
        self.init(hostname, ReachabilityListener(target), center)
    }

    package init(_ hostname: String, _ listener: ReachabilityListener, _ center: NotificationCenter) {
        self.hostname = hostname
        self.listener = listener
        self.center = center
    }

    deinit { listener.stop() }

    /// The current state, without a notification.
    public var current: Update { Update(hostname: hostname, flags: listener.flags) }

    /// Starts posting on this queue: the current state first, then each different one, in order.
    ///
    /// States count as different only if the posted values differ.
    ///
    /// - Returns: false if it was already started, which has no effect, or if the system refuses.
    @discardableResult
    public func start(queue: DispatchQueue = .main) -> Bool {
        let filter = RepetitionFilter<Update>()
        return listener.start(queue: queue) { [weak self, hostname] flags in
            // Flags also contain properties that are not posted.
            let update = Update(hostname: hostname, flags: flags)
            if filter.passes(update) { self?.post(update) }
        }
    }

    /// Stops posting; it can be started again.
    ///
    /// It has no effect if the monitor is not started.
    public func stop() { listener.stop() }

    private func post(_ update: Update) {
        center.post(name: Self.didChange, object: self, userInfo: update.userInfo)
    }
}

extension HostMonitor {
    /// The content of a notification as typed values.
    public struct Update: Hashable, Sendable {
        /// Whether the flags contain `reachable`, and the route is not over a mobile network.
        public var reachableViaWiFi: Bool
        /// Whether the flags contain `reachable`, and the route is over a mobile network.
        public var reachableViaCellular: Bool
        /// Whether a connection must be made first.
        public var connectionRequired: Bool
        /// Whether a connection must be made first, and traffic establishes it automatically.
        public var connectionIsDynamic: Bool
        /// Whether a connection must be made first, and the user must act before that.
        public var userActionRequired: Bool
        /// The host, as it was given.
        public var hostname: String

        /// Whether a connection is possible without user action; see `SCNetworkReachabilityFlags.isReachable`.
        public var isReachable: Bool {
            (reachableViaWiFi || reachableViaCellular)
                && (!connectionRequired || (connectionIsDynamic && !userActionRequired))
        }

        /// Reads a notification; nil if it is not a host monitor's.
        public init?(_ notification: Notification) {
            guard notification.name == HostMonitor.didChange, let values = notification.userInfo else { return nil }
            func flag(_ key: Key) -> Bool { values[key.rawValue] as? Bool ?? false }
            guard let hostname = values[Key.hostname.rawValue] as? String else { return nil }
            self.hostname = hostname
            reachableViaWiFi = flag(.reachableViaWiFi)
            reachableViaCellular = flag(.reachableViaCellular)
            connectionRequired = flag(.connectionRequired)
            connectionIsDynamic = flag(.connectionIsDynamic)
            userActionRequired = flag(.userActionRequired)
        }

        init(hostname: String, flags: SCNetworkReachabilityFlags) {
            self.hostname = hostname
            reachableViaWiFi = flags.contains(.reachable) && !flags.isCellular
            reachableViaCellular = flags.contains(.reachable) && flags.isCellular
            connectionRequired = flags.contains(.connectionRequired)
            connectionIsDynamic = connectionRequired && flags.isDynamic
            userActionRequired = connectionRequired && flags.contains(.interventionRequired)
        }

        var userInfo: [AnyHashable: Any] {
            let values: [(Key, Any)] = [
                (.reachableViaWiFi, reachableViaWiFi), (.reachableViaCellular, reachableViaCellular),
                (.connectionRequired, connectionRequired), (.connectionIsDynamic, connectionIsDynamic),
                (.userActionRequired, userActionRequired), (.hostname, hostname),
            ]
            return Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.0.rawValue), $0.1) })
        }
    }
}

#endif
