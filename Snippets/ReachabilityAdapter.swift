#if Publishers || canImport(Combine)
import DialtoneCombine
import Foundation

/// Makes Reachability.swift, which posts a notification, a `NetworkReachabilityProvider`.
final class ReachabilityAdapter: CallbackReachability {
    private let reachability: Reachability
    private var token: (any NSObjectProtocol)?

    init(_ reachability: Reachability) { self.reachability = reachability }

    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
        didSet {
            if let token { NotificationCenter.default.removeObserver(token) }
            token = statusHandler.map { handler in
                NotificationCenter.default.addObserver(
                    forName: .reachabilityChanged, object: reachability, queue: nil
                ) { notification in
                    guard let reachability = notification.object as? Reachability else { return }
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
    init(_ connection: Reachability.Connection) {
        self =
            switch connection {
            case .wifi: .reachable(.ethernetOrWiFi)
            case .cellular: .reachable(.wwan)
            case .unavailable: .notReachable
            }
    }
}

let provider = CallbackReachabilityProvider(ReachabilityAdapter(try Reachability()))
provider.networkStatusHandler.sink { print($0) }.cancel()

// The part of Reachability.swift that the adapter uses, so that this file compiles alone. Delete it.
extension Notification.Name {
    static let reachabilityChanged = Notification.Name("reachabilityChanged")
}

final class Reachability {
    enum Connection { case unavailable, wifi, cellular }
    var connection = Connection.unavailable
    init() throws {}
    func startNotifier() throws {}
    func stopNotifier() {}
}
#endif
