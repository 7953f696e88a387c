// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

extension Notification.Name {
    /// The state of a `ConnectivityMonitor` changed.
    ///
    /// A monitor posts it after `startPosting(to:on:)`. The object is the monitor. The keys of `userInfo` are those of
    /// `ConnectivityMonitor.NotificationKey`; `Connectivity(_:)` reads them.
    public static let connectivityDidChange = Notification.Name("dialtone.connectivity.didChange")
}

extension ConnectivityMonitor {
    /// The keys of `userInfo` in `connectivityDidChange`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum NotificationKey: String, Hashable, Sendable, CaseIterable {
        /// `Connectivity`: the complete value.
        case connectivity
        /// `String`: the raw value of the state.
        case state
        /// `Bool`: whether the Internet has responded.
        case isOnline
        /// `[String]`: the names of what changed, spelled as in the JSON report; empty in the first notification.
        case changes
    }

    /// Posts `connectivityDidChange` for the current value and then for every change, in order.
    ///
    /// ```swift
    /// let posting = monitor.post(to: .default)
    /// let token = NotificationCenter.default.addObserver(
    ///     forName: .connectivityDidChange, object: monitor, queue: .main
    /// ) { notification in
    ///     print(Connectivity(notification)?.state ?? .unknown)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - center: the notification center to post to.
    ///   - queue: the queue to post from; observers that specify no queue are called on it.
    /// - Returns: an object that keeps the posting alive.
    public func post(
        to center: NotificationCenter = .default, on queue: DispatchQueue = .main
    ) -> ConnectivityObservation {
        observe(on: queue) { [weak self] connectivity in
            guard let self else { return }
            center.post(name: .connectivityDidChange, object: self, userInfo: connectivity.userInfo)
        }
    }

    private static let postings = Mutex<[ObjectIdentifier: ConnectivityObservation]>([:])

    /// Posts `connectivityDidChange` for the current value and then for every change, until `stopPosting()`.
    ///
    /// ```swift
    /// ConnectivityMonitor.shared.startPosting()
    /// ```
    ///
    /// A monitor that posts is kept alive, and watches. Calling this again has no effect, even with other arguments.
    ///
    /// - Parameters:
    ///   - center: the notification center to post to.
    ///   - queue: the queue to post from; observers that specify no queue are called on it.
    public func startPosting(to center: NotificationCenter = .default, on queue: DispatchQueue = .main) {
        // The lock is held while the observation starts: a second one, cancelled afterwards, could post first.
        Self.postings.withLock { postings in
            guard postings[ObjectIdentifier(self)] == nil else { return }
            postings[ObjectIdentifier(self)] = post(to: center, on: queue)
        }
    }

    /// Ends what `startPosting(to:on:)` has started; has no effect if the monitor does not post.
    public func stopPosting() {
        let old = Self.postings.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        old?.cancel()
    }
}

extension Connectivity {
    /// Reads a `connectivityDidChange` notification; nil if the notification is a different one.
    public init?(_ notification: Notification) {
        guard notification.name == .connectivityDidChange,
            let value = notification.userInfo?[ConnectivityMonitor.NotificationKey.connectivity.rawValue]
                as? Connectivity
        else { return nil }
        self = value
    }

    fileprivate var userInfo: [AnyHashable: Any] {
        typealias Key = ConnectivityMonitor.NotificationKey
        return [
            Key.connectivity.rawValue: self, Key.state.rawValue: state.rawValue, Key.isOnline.rawValue: isOnline,
            Key.changes.rawValue: changes.map(\.rawValue),
        ]
    }
}
