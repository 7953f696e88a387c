import DialtoneNotifications
import Dispatch

let listener = ReachabilityListener()
listener?.start(queue: .main) { flags in
    guard flags.isReachable else { return print("not reachable") }
    print(flags.isCellular ? "reachable over cellular" : "reachable over Ethernet or Wi-Fi")
}
dispatchMain()  // Not in an app, whose main queue already runs.
