import Dialtone
import Dispatch
import OpenNetwork

func monitoring() {
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { path in
        print(path.status == .satisfied ? "There is a way out." : "There is none.")
    }
    monitor.start(queue: .main)
}

func updates() async {
    for await path in NetworkPath.updates() {
        print(path.diagnosis?.description ?? "There is a way out.")
    }
}

func now() async {
    let path = await NetworkPath.current()
    guard path.status == .satisfied else { return print(path.diagnosis?.description ?? "There is no way out.") }
}

#if os(Linux)
func costs() {
    CostPolicy.current[.interface("eth1")] = .expensive
    CostPolicy.current[.wifiNetwork("Train")] = Costs(isExpensive: false, isConstrained: true)
    CostPolicy.current[.type(.cellular)] = .inexpensive
}

func radio() {
    if let wifi = WiFiDetails(ofInterface: "wlan0") {
        print("\(wifi.networkName ?? "?") at \(wifi.signal ?? 0) dBm")
    }
}
#endif
