// SPDX-License-Identifier: Apache-2.0

import DialtoneCombine
import DialtoneNotifications
import Foundation

extension Notification.Name {
    static let reachabilityChanged = Notification.Name("reachabilityChanged")
}

/// Represents another library's class: it posts a notification, whose object is itself.
final class PostingReachability: Sendable {
    enum Connection { case unavailable, wifi, cellular }

    private let listener: ReachabilityListener

    init?() {
        guard let listener = ReachabilityListener() else { return nil }
        self.listener = listener
    }

    var connection: Connection {
        let flags = listener.flags
        return flags.isReachable ? (flags.isCellular ? .cellular : .wifi) : .unavailable
    }

    func startNotifier() throws {
        listener.start(queue: .main) { [weak self] _ in
            NotificationCenter.default.post(name: .reachabilityChanged, object: self)
        }
    }

    func stopNotifier() { listener.stop() }
}

/// Conforms that class to `NetworkReachabilityProvider`.
final class PostingReachabilityAdapter: CallbackReachability {
    private let reachability: PostingReachability
    private var token: (any NSObjectProtocol)?

    init(_ reachability: PostingReachability) { self.reachability = reachability }

    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
        didSet {
            if let token { NotificationCenter.default.removeObserver(token) }
            token = statusHandler.map { handler in
                NotificationCenter.default.addObserver(
                    forName: .reachabilityChanged, object: reachability, queue: nil
                ) { notification in
                    guard let reachability = notification.object as? PostingReachability else { return }
                    handler(NetworkReachabilityStatus(reachability.connection))
                }
            }
        }
    }

    var currentStatus: NetworkReachabilityStatus { NetworkReachabilityStatus(reachability.connection) }
    func startNotifier() throws { try reachability.startNotifier() }
    func stopNotifier() { reachability.stopNotifier() }
}

extension NetworkReachabilityStatus {
    init(_ connection: PostingReachability.Connection) {
        self =
            switch connection {
            case .wifi: .reachable(.ethernetOrWiFi)
            case .cellular: .reachable(.wwan)
            case .unavailable: .notReachable
            }
    }
}
