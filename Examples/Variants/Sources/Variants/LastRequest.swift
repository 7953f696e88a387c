// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneURLSession
import Foundation

/// The state follows from the outcome of the last request.
///
/// Only JSON with a status of 200 to 299 means online: a login page has such a status, too.
final class LastRequest: NetworkRequester.Delegate {
    private let row: Table.Row
    private let url: URL
    private let session: URLSession

    init(_ url: URL, _ row: Table.Row) {
        self.url = url
        self.row = row
        let configuration = URLSessionConfiguration.ephemeral
        #if !canImport(Darwin)
        // As on Apple platforms.
        configuration.failsWithoutConnectivity = true
        #endif
        session = URLSession(configuration: configuration)
    }

    func start() -> NetworkRequester.StatusObservation { NetworkRequester.shared.addDelegate(self) }

    func networkRequester(_ requester: NetworkRequester, didChangeTo status: NetworkRequester.Status) {
        let advice = status.advice
        let isUnexpected = status.state == .failed && status.outcome == .unexpectedBody
        row.show("\(isUnexpected ? "Failed to parse JSON" : advice.title). \(advice.instruction)")
    }

    func requestData() {
        Task { [url, session] in
            try? await NetworkRequester.shared.request(to: HostTarget(url), read: expectJSON(in:)) {
                let (body, response) = try await session.data(from: url)
                return NetworkRequester.Reply(status: (response as? HTTPURLResponse)?.statusCode ?? 200, body: body)
            }
        }
    }
}

/// Throws unless the body is JSON.
@Sendable func expectJSON(in reply: NetworkRequester.Reply) throws {
    _ = try JSONSerialization.jsonObject(with: reply.body)
}
