import Dialtone

let mine: InternetCheck.Endpoint = "https://status.example.org/204"
let page = InternetCheck.Endpoint("http://example.org/check.txt", expecting: .body("still here"))
var configuration = InternetCheck.Configuration(endpoints: [mine, page], quorum: .count(1))
configuration.timeouts.total = .seconds(3)
print(try await InternetCheck(configuration).run().state)

if let api = CaptivePortalDiscovery.current().api {
    print(try await CaptivePortalAPI(api).state().isCaptive)
}
