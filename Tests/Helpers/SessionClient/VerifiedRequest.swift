// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession

/// A request that waits for a verified Internet, which the server of the URL simulates.
struct VerifiedRequest {
    let url: URL
    let session: URLSession

    func run() async throws -> (Data, URLResponse) {
        let server = "http://\(url.host() ?? "")"
        let check = try InternetCheck(
            InternetCheck.Configuration(
                endpoints: [
                    .init("\(server)/generate_204"), .init("\(server)/success.txt", expecting: .body("success")),
                ], captivePortalAPI: .off))
        let monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: check)
        monitor.start()
        return try await withConnectivity(WaitingPolicy(.verified), in: WaitingRoom(monitor)) { reason in
            SessionClient.say("reason \(reason)")
            return .keepWaiting
        } operation: {
            try await session.data(from: url)
        }
    }
}
