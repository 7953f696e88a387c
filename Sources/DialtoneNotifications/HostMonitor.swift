//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !os(watchOS)

/// Posts a notification for each change of the route to one host.
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
    /// The name of the notifications; their object is the monitor.
    public static let didChange = Notification.Name("dialtone.host.didChange")

    /// The keys of `userInfo`.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// `Bool`: the host can be reached, and not over a mobile network.
        case reachableViaWiFi
        /// `Bool`: the host can be reached over a mobile network.
        case reachableViaCellular
        /// `Bool`: a connection must be made first.
        case connectionRequired
        /// `Bool`: traffic establishes that connection automatically.
        case connectionIsDynamic
        /// `Bool`: a person must act before that connection can be made.
        case userActionRequired
        /// `String`: the host, as it was given.
        case hostname
    }

    /// The host, as it was given.
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

    init(_ hostname: String, _ listener: ReachabilityListener, _ center: NotificationCenter) {
        self.hostname = hostname
        self.listener = listener
        self.center = center
    }

    deinit { listener.stop() }

    /// Starts posting on this queue: the current state first, then each different one, in order.
    ///
    /// States count as different only if the posted values differ.
    ///
    /// - Returns: false if it was already started, which has no effect, or if the system refuses.
    @discardableResult
    public func start(queue: DispatchQueue = .main) -> Bool {
        let filter = RepetitionFilter<News>()
        return listener.start(queue: queue) { [weak self, hostname] flags in
            // Flags also contain properties that are not posted.
            let news = News(hostname: hostname, flags: flags)
            if filter.passes(news) { self?.post(news) }
        }
    }

    /// Stops posting; it can be started again.
    ///
    /// It has no effect if the monitor is not started.
    public func stop() { listener.stop() }

    private func post(_ news: News) {
        center.post(name: Self.didChange, object: self, userInfo: news.userInfo)
    }
}

extension HostMonitor {
    /// The content of a notification as typed values.
    public struct News: Hashable, Sendable {
        /// Whether the host can be reached, and not over a mobile network.
        public var reachableViaWiFi: Bool
        /// Whether the host can be reached over a mobile network.
        public var reachableViaCellular: Bool
        /// Whether a connection must be made first.
        public var connectionRequired: Bool
        /// Whether traffic establishes that connection automatically.
        public var connectionIsDynamic: Bool
        /// Whether a person must act before that connection can be made.
        public var userActionRequired: Bool
        /// The host, as it was given.
        public var hostname: String

        /// Whether the host can be reached at all.
        public var isReachable: Bool { reachableViaWiFi || reachableViaCellular }

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

#endif
