//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Posts a notification for each change of the path.
///
/// ```swift
/// let monitor = PathMonitor()
/// let token = NotificationCenter.default.addObserver(forName: PathMonitor.didChange, object: monitor, queue: nil) {
///     guard let news = PathMonitor.News($0) else { return }
///     print(news.status, news.isWiFi)
/// }
/// monitor.start(queue: .main)
/// ```
public final class PathMonitor: Sendable {
    /// The name of its notifications, whose object is the monitor.
    public static let didChange = Notification.Name("dialtone.path.didChange")

    /// The keys of `userInfo`.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// `Bool`: the path uses Wi-Fi.
        case isWiFi
        /// `Bool`: the path uses a mobile network.
        case isCellular
        /// `Bool`: the path uses wired Ethernet.
        case isEthernet
        /// `NWPath.Status`: whether there is a path.
        case status
        /// `Bool`: it costs by volume.
        case isExpensive
        /// `Bool`: it can carry IPv4.
        case hasIPv4
        /// `Bool`: it can carry IPv6.
        case hasIPv6
        /// `Bool`: there is a name server.
        case hasDNS
    }

    private struct Session {
        let monitor: NWPathMonitor
        let filter: RepetitionFilter<News>
    }

    private let center: NotificationCenter
    private let makeMonitor: @Sendable () -> NWPathMonitor
    private let session = Mutex<Session?>(nil)

    /// Monitors every type of interface.
    ///
    /// - Parameter center: where to post.
    public convenience init(center: NotificationCenter = .default) {
        self.init(center: center) { NWPathMonitor() }
    }

    /// Monitors only interfaces of one type.
    ///
    /// - Parameters:
    ///   - type: which.
    ///   - center: where to post.
    public convenience init(
        requiredInterfaceType type: NWInterface.InterfaceType, center: NotificationCenter = .default
    ) {
        self.init(center: center) { NWPathMonitor(requiredInterfaceType: type) }
    }

    init(center: NotificationCenter, makeMonitor: @escaping @Sendable () -> NWPathMonitor) {
        self.center = center
        self.makeMonitor = makeMonitor
    }

    deinit { stop() }

    /// Begins to post, on this queue: the present path first, then each that differs in what is posted, in order.
    ///
    /// - Returns: false when it had begun before, which goes on unchanged.
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
            let news = News(path)
            if filter.passes(news) { self?.post(news) }
        }
        new.monitor.start(queue: queue)
        return true
    }

    /// Stops posting; it may be started again.
    ///
    /// Does nothing when it has not begun.
    public func stop() {
        let old = session.withLock { session in
            defer { session = nil }
            return session
        }
        old?.filter.close()
        old?.monitor.cancel()
    }

    private func post(_ news: News) {
        center.post(name: Self.didChange, object: self, userInfo: news.userInfo)
    }
}

extension PathMonitor {
    /// What a notification says, typed.
    public struct News: Hashable, Sendable {
        /// The path uses Wi-Fi.
        public var isWiFi: Bool
        /// The path uses a mobile network.
        public var isCellular: Bool
        /// The path uses wired Ethernet.
        public var isEthernet: Bool
        /// Whether there is a path.
        public var status: NWPath.Status
        /// It costs by volume.
        public var isExpensive: Bool
        /// It can carry IPv4.
        public var hasIPv4: Bool
        /// It can carry IPv6.
        public var hasIPv6: Bool
        /// There is a name server.
        public var hasDNS: Bool

        /// Reads a notification; nil when it is another's.
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
            ]
            return Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.0.rawValue), $0.1) })
        }
    }
}
