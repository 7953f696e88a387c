import Dialtone

func reachability() async throws {
    let host = try HostReachability("example.com:443", connects: true)
    print(await host.check().state)
    for await report in host.updates() {
        print(report.reason ?? "It can be reached.")
    }
}

func target() throws {
    let target = try HostTarget("https://bücher.example/shelf")
    print(target.host, target.port ?? 0)  // xn--bcher-kva.example 443
}
