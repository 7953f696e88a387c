import DialtoneNotifications

let listener = ReachabilityListener(host: "example.com")
print(listener?.isReachable == true ? "There is a route to the host." : "There is no route to the host.")
listener?.start(queue: .main) { flags in
    print(flags.isReachable ? "reachable" : "not reachable")
}
