import Dialtone
import DialtoneNotifications
import Foundation

let monitor = ConnectivityMonitor.shared
let posting = monitor.post(to: .default)
let token = NotificationCenter.default.addObserver(
    forName: .connectivityDidChange, object: monitor, queue: .main
) { notification in
    print(Connectivity(notification)?.state ?? .unknown)
}
RunLoop.main.run()
