//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Posts a notification for each change of the way to one host.
///
/// ```swift
/// guard let monitor = HostMonitor(hostname: "example.com") else { return }
/// let token = NotificationCenter.default.addObserver(forName: HostMonitor.didChange, object: monitor, queue: nil) {
///     guard let news = HostMonitor.News($0) else { return }
///     print(news.hostname, news.isReachable)
/// }
/// monitor.start(queue: .main)
/// ```
public final class HostMonitor: Sendable {
    /// The name of its notifications, whose object is the monitor.
    public static let didChange = Notification.Name("dialtone.host.didChange")

    /// The keys of `userInfo`.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// `Bool`: it can be reached, and not over a mobile network.
        case reachableViaWiFi
        /// `Bool`: it can be reached over a mobile network.
        case reachableViaCellular
        /// `Bool`: a connection must be made first.
        case connectionRequired
        /// `Bool`: traffic makes that connection by itself.
        case connectionIsDynamic
        /// `Bool`: a person must do something for that connection.
        case userActionRequired
        /// `String`: the host, as it was given.
        case hostname
    }

    /// The host, as it was given.
    public let hostname: String
    private let center: NotificationCenter
    private let listener: ReachabilityListener

    /// Monitors a host; nil for the empty text.
    ///
    /// - Parameters:
    ///   - hostname: a name, or an address as text.
    ///   - center: where to post.
    public convenience init?(hostname: String, center: NotificationCenter = .default) {
        guard let listener = ReachabilityListener(host: hostname) else { return nil }
        self.init(hostname, listener, center)
    }

    init(_ hostname: String, _ listener: ReachabilityListener, _ center: NotificationCenter) {
        self.hostname = hostname
        self.listener = listener
        self.center = center
    }

    deinit { listener.stop() }

    /// Begins to post, on this queue: the present state first, then each that differs in what is posted, in order.
    ///
    /// - Returns: false when it had begun before, which goes on unchanged, or when the system refuses.
    @discardableResult
    public func start(queue: DispatchQueue = .main) -> Bool {
        let filter = RepetitionFilter<News>()
        return listener.start(queue: queue) { [weak self, hostname] flags in
            // Flags also tell of what is not posted.
            let news = News(hostname: hostname, flags: flags)
            if filter.passes(news) { self?.post(news) }
        }
    }

    /// Stops posting; it may be started again.
    ///
    /// Does nothing when it has not begun.
    public func stop() { listener.stop() }

    private func post(_ news: News) {
        center.post(name: Self.didChange, object: self, userInfo: news.userInfo)
    }
}

extension HostMonitor {
    /// What a notification says, typed.
    public struct News: Hashable, Sendable {
        /// It can be reached, and not over a mobile network.
        public var reachableViaWiFi: Bool
        /// It can be reached over a mobile network.
        public var reachableViaCellular: Bool
        /// A connection must be made first.
        public var connectionRequired: Bool
        /// Traffic makes that connection by itself.
        public var connectionIsDynamic: Bool
        /// A person must do something for that connection.
        public var userActionRequired: Bool
        /// The host, as it was given.
        public var hostname: String

        /// Whether it can be reached at all.
        public var isReachable: Bool { reachableViaWiFi || reachableViaCellular }

        /// Reads a notification; nil when it is another's.
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
            reachableViaWiFi = flags.isReachable && !flags.isCellular
            reachableViaCellular = flags.isReachable && flags.isCellular
            connectionRequired = flags.contains(.connectionRequired)
            connectionIsDynamic = flags.isDynamic
            userActionRequired = flags.contains(.interventionRequired)
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
