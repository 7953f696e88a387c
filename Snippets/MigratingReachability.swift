import Dialtone
import Dispatch

let observation = ConnectivityMonitor.shared.observe(on: .main) { connectivity in
    if connectivity.isOnline {
        print(connectivity.isOnlineViaWiFi ? "online over Wi-Fi" : "online")
    } else {
        print(connectivity.path.diagnosis?.description ?? "\(connectivity.state)")
    }
}
