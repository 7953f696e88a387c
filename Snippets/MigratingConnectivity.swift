import Dialtone
import Dispatch

let page = InternetCheck.Endpoint("http://www.example.com/success.html", expecting: .contains("Success"))
let check = try InternetCheck(.init(endpoints: [page, "https://status.example.org/204"], quorum: .percent(75)))
let monitor = try ConnectivityMonitor(.init(), checker: check)
let observation = monitor.observe(on: .main) { connectivity in
    if connectivity.isOnlineViaWiFi {
        print("connected over Wi-Fi")
    } else if connectivity.isOnWiFiWithoutInternet {
        print("Wi-Fi without Internet access", connectivity.evidence?.portal ?? "")
    } else {
        print(connectivity.reason ?? "online")
    }
}
dispatchMain()  // Not in an app, whose main queue already runs.
