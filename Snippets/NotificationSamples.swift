import Dialtone
import DialtoneNotifications
import Foundation
import OpenSystemConfiguration

func listener() {
    guard let listener = ReachabilityListener(host: "example.com") else { return }
    print(listener.isReachable)
    listener.start(queue: .main) { flags in print(flags.isReachable) }
}

func flags() {
    if let target = SCNetworkReachabilityCreateWithName(nil, "example.com") {
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in print(flags.contains(.reachable)) }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, .main)
    }
}

func connectivity(of monitor: ConnectivityMonitor) {
    ConnectivityMonitor.shared.startPosting()
    let posting = monitor.post(to: .default)
    let token = NotificationCenter.default.addObserver(
        forName: .connectivityDidChange, object: monitor, queue: .main
    ) { notification in
        print(Connectivity(notification)?.state ?? .unknown)
    }
    print(posting, token)
}
