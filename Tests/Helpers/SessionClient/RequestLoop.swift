// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession

/// A "Request data" button that is pressed now, and twice more once there is a path; every status is printed.
struct RequestLoop {
    struct Weather: Decodable { let degrees: Int }

    let url: URL
    let session: URLSession

    func run() async throws {
        let monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: nil)
        monitor.start()
        for await connectivity in monitor.updates() where !connectivity.path.isUnknown { break }
        let requester = NetworkRequester(monitor)
        let printing = Task { [updates = requester.updates(.everyTransition)] in
            // The initial status, and two for each request.
            for await status in updates.prefix(7) {
                SessionClient.say("\(status.state): \(status.advice.instruction)")
            }
        }
        var values = [await press(requester)]
        for await connectivity in monitor.updates() where connectivity.path.status == .satisfied { break }
        for _ in 0..<2 { values.append(await press(requester)) }
        await printing.value
        SessionClient.say("values \(values.map { $0.map(String.init) ?? "none" }.joined(separator: " "))")
    }

    private func press(_ requester: NetworkRequester) async -> Int? {
        try? await requester.request(Weather.self, from: url, session: session).degrees
    }
}
