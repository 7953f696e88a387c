// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

// Shows the network by every variant at once, until it is interrupted.
//
//     Variants [HOST [URL]]

let arguments = Array(CommandLine.arguments.dropFirst())
let host = arguments.first ?? "example.com"
guard let url = URL(string: arguments.dropFirst().first ?? "https://httpbin.org/get") else {
    print("usage: Variants [HOST [URL]]")
    exit(64)
}
if arguments.count > 1 {
    // With a URL of the caller's, nothing else is contacted. Any other answer than JSON may be a login page.
    let endpoint = InternetCheck.Endpoint(
        url.absoluteString,
        expecting: .custom("JSON") { response in
            guard 200..<300 ~= response.status else { return false }
            return (try? expectJSON(in: NetworkRequester.Reply(status: response.status, body: Data(response.body))))
                != nil
        })
    let check = try InternetCheck(.init(endpoints: [endpoint], captivePortalAPI: .off))
    try ConnectivityMonitor.configureShared(.init(polling: .whileNotOnline), checker: check)
}

let table = Table()
/// Everything that must outlive this file's top level.
let watches: [Any?] = [
    watchZeroAddress(table.row("SCNetworkReachability, zero address")),
    watchHostName(host, table.row("SCNetworkReachability, host name")),
    watchAddressPair(from: "0.0.0.0", to: "198.51.100.1", table.row("SCNetworkReachability, address pair")),
    watchAnyPath(table.row("NWPathMonitor")),
    watchCPath(table.row("nw_path_monitor")),
    watchPath(of: .wifi, table.row("NWPathMonitor, Wi-Fi")),
    watchProviders(
        table.row("Combine, NetworkReachability"), table.row("Combine, NetworkMonitor"),
        table.row("Combine, another library")),
    watchSynchronousCheck(table.row("NetworkPath.read")),
    watchConnectivity(table.row("ConnectivityMonitor")),
]
let lastRequest = LastRequest(url, table.row("NetworkRequester, last request"))
let statuses = lastRequest.start()
let waitingTask = WaitingTask(url, table.row("URLSession, waiting task"))

// Each line of the input requests data.
Thread.detachNewThread {
    while readLine() != nil {
        lastRequest.requestData()
        waitingTask.requestData()
    }
}
dispatchMain()
