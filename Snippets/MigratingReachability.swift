import Dialtone
import Dispatch

let observation = ConnectivityMonitor.shared.observe(on: .main) { connectivity in
    if let reason = connectivity.reason {
        print(reason)
    } else {
        print(connectivity.isOnlineViaWiFi ? "online over Wi-Fi" : "online")
    }
}
dispatchMain()  // Not in an app, whose main queue already runs.
