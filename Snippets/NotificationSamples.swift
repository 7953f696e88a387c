import Dialtone
import DialtoneNotifications
import Foundation
import OpenSystemConfiguration

func host() {
    guard let monitor = HostMonitor(hostname: "example.com") else { return }
    let token = NotificationCenter.default.addObserver(
        forName: .hostReachabilityDidChange, object: monitor, queue: nil
    ) {
        guard let update = HostMonitor.Update($0) else { return }
        print(update.hostname, update.isReachable)
    }
    monitor.start(queue: .main)
    print(token)
}

func path() {
    let monitor = PathMonitor()
    let token = NotificationCenter.default.addObserver(
        forName: .networkPathDidChange, object: monitor, queue: nil
    ) {
        guard let update = PathMonitor.Update($0) else { return }
        print(update.status, update.isWiFi)
    }
    monitor.start(queue: .main)
    print(token)
}

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
