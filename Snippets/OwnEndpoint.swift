import Dialtone

// Before the first use of `shared`, such as in the app's initializer.
let mine: InternetCheck.Endpoint = "https://status.example.org/204"
let check = try InternetCheck(InternetCheck.Configuration(endpoints: [mine], quorum: .count(1)))
var configuration = ConnectivityMonitor.Configuration()
configuration.polling = .whileNotOnline
configuration.interval = .seconds(300)
try ConnectivityMonitor.configureShared(configuration, checker: check)
