import Dialtone

let host = try HostReachability("https://example.com", connects: true)
for await report in host.updates() {
    print(report.reason ?? "Reachable through \(report.route.value?.gateway?.description ?? "no router").")
}
