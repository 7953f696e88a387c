import Dialtone
import Dispatch
import OpenNetwork

func monitoring() {
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { path in
        print(path.status == .satisfied ? "connected" : "not connected")
    }
    monitor.start(queue: .main)
}

func updates() async {
    for await path in NetworkPath.updates() {
        print(path.reason ?? "connected")
    }
}

func now() {
    let path = NetworkPath.read()
    guard path.status == .satisfied else { return print(path.reason ?? "not connected") }
}

func addresses() {
    let router = NetworkAddress("192.0.2.1")
    print(router?.description ?? "?")
}

#if os(Linux)
func costs() {
    CostPolicy.current[.interface("eth1")] = .expensive
    CostPolicy.current[.wifiNetwork("Train")] = LinkCosts(isExpensive: false, isConstrained: true)
    CostPolicy.current[.type(.cellular)] = .inexpensive
}

func radio() {
    if let wifi = WiFiDetails(ofInterface: "wlan0") {
        print("\(wifi.networkName ?? "?") at \(wifi.signal ?? 0) dBm")
    }
}
#endif
