// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension Notification.Name {
    /// The path changed.
    ///
    /// The object is a `PathMonitor`. The keys of `userInfo` are those of `PathMonitor.Key`; `PathMonitor.Update` reads
    /// them.
    public static let networkPathDidChange = Notification.Name("dialtone.path.didChange")
}

/// Posts a notification for each change of the path.
///
/// ```swift
/// let monitor = PathMonitor()
/// let token = NotificationCenter.default.addObserver(
///     forName: .networkPathDidChange, object: monitor, queue: nil
/// ) {
///     guard let update = PathMonitor.Update($0) else { return }
///     print(update.status, update.isWiFi)
/// }
/// monitor.start(queue: .main)
/// ```
public final class PathMonitor: Sendable {
    /// The name of the notifications, also `Notification.Name.networkPathDidChange`; their object is the monitor.
    public static let didChange = Notification.Name.networkPathDidChange

    /// The keys of `userInfo`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// `Bool`: the path uses Wi-Fi.
        case isWiFi
        /// `Bool`: the path uses a mobile network.
        case isCellular
        /// `Bool`: the path uses wired Ethernet.
        case isEthernet
        /// `NWPath.Status`: whether there is a path.
        case status
        /// `Bool`: traffic is charged by volume.
        case isExpensive
        /// `Bool`: the path can carry IPv4.
        case hasIPv4
        /// `Bool`: the path can carry IPv6.
        case hasIPv6
        /// `Bool`: a name server is configured.
        case hasDNS
        /// `Bool`: the same as `hasDNS`, under the name that many Objective-C sources use.
        case hasNewDNS
    }

    private struct Session {
        let monitor: NWPathMonitor
        let filter: RepetitionFilter<Update>
    }

    private let center: NotificationCenter
    private let makeMonitor: @Sendable () -> NWPathMonitor
    private let session = Mutex<Session?>(nil)

    /// Monitors every type of interface.
    ///
    /// - Parameter center: the notification center to post to.
    public convenience init(center: NotificationCenter = .default) {
        self.init(center: center) { NWPathMonitor() }
    }

    /// Monitors only interfaces of one type.
    ///
    /// - Parameters:
    ///   - type: the type of interface.
    ///   - center: the notification center to post to.
    public convenience init(
        requiredInterfaceType type: NWInterface.InterfaceType, center: NotificationCenter = .default
    ) {
        self.init(center: center) { NWPathMonitor(requiredInterfaceType: type) }
    }

    package init(center: NotificationCenter, makeMonitor: @escaping @Sendable () -> NWPathMonitor) {
        self.center = center
        self.makeMonitor = makeMonitor
    }

    deinit { stop() }

    /// Starts posting on this queue: the current path first, then each different one, in order.
    ///
    /// Paths count as different only if the posted values differ.
    ///
    /// - Returns: false if it was already started, which has no effect.
    @discardableResult
    public func start(queue: DispatchQueue = .main) -> Bool {
        let new = Session(monitor: makeMonitor(), filter: RepetitionFilter())
        let hasStarted = session.withLock { session in
            guard session == nil else { return false }
            session = new
            return true
        }
        guard hasStarted else { return false }
        new.monitor.pathUpdateHandler = { [weak self, filter = new.filter] path in
            let update = Update(path)
            if filter.passes(update) { self?.post(update) }
        }
        new.monitor.start(queue: queue)
        return true
    }

    /// Stops posting; it can be started again.
    ///
    /// It has no effect if the monitor is not started.
    public func stop() {
        let old = session.withLock { session in
            defer { session = nil }
            return session
        }
        old?.filter.close()
        old?.monitor.cancel()
    }

    private func post(_ update: Update) {
        center.post(name: Self.didChange, object: self, userInfo: update.userInfo)
    }
}

extension PathMonitor {
    /// The content of a notification as typed values.
    public struct Update: Hashable, Sendable {
        /// Whether the path uses Wi-Fi.
        public var isWiFi: Bool
        /// Whether the path uses a mobile network.
        public var isCellular: Bool
        /// Whether the path uses wired Ethernet.
        public var isEthernet: Bool
        /// Whether there is a path.
        public var status: NWPath.Status
        /// Whether traffic is charged by volume.
        public var isExpensive: Bool
        /// Whether the path can carry IPv4.
        public var hasIPv4: Bool
        /// Whether the path can carry IPv6.
        public var hasIPv6: Bool
        /// Whether a name server is configured.
        public var hasDNS: Bool

        /// Reads a notification; nil if it is not a path monitor's.
        public init?(_ notification: Notification) {
            guard notification.name == PathMonitor.didChange, let values = notification.userInfo else { return nil }
            func flag(_ key: Key) -> Bool { values[key.rawValue] as? Bool ?? false }
            guard let status = values[Key.status.rawValue] as? NWPath.Status else { return nil }
            self.status = status
            isWiFi = flag(.isWiFi)
            isCellular = flag(.isCellular)
            isEthernet = flag(.isEthernet)
            isExpensive = flag(.isExpensive)
            hasIPv4 = flag(.hasIPv4)
            hasIPv6 = flag(.hasIPv6)
            hasDNS = flag(.hasDNS)
        }

        init(_ path: NWPath) {
            isWiFi = path.usesInterfaceType(.wifi)
            isCellular = path.usesInterfaceType(.cellular)
            isEthernet = path.usesInterfaceType(.wiredEthernet)
            status = path.status
            isExpensive = path.isExpensive
            hasIPv4 = path.supportsIPv4
            hasIPv6 = path.supportsIPv6
            hasDNS = path.supportsDNS
        }

        var userInfo: [AnyHashable: Any] {
            let values: [(Key, Any)] = [
                (.isWiFi, isWiFi), (.isCellular, isCellular), (.isEthernet, isEthernet), (.status, status),
                (.isExpensive, isExpensive), (.hasIPv4, hasIPv4), (.hasIPv6, hasIPv6), (.hasDNS, hasDNS),
                (.hasNewDNS, hasDNS),
            ]
            return Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.0.rawValue), $0.1) })
        }
    }
}
