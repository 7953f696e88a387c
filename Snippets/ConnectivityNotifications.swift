import Dialtone
import DialtoneNotifications
import Foundation

let monitor = ConnectivityMonitor.shared
monitor.startPosting()
let token = NotificationCenter.default.addObserver(
    forName: .connectivityDidChange, object: monitor, queue: .main
) { notification in
    if let connectivity = Connectivity(notification) { print(connectivity) }
}
RunLoop.main.run()
