// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession
import Foundation

/// A URLSession task that waits for connectivity instead of failing, and reports that it waits.
final class WaitingTask: NSObject, URLSessionConnectivityDelegate, URLSessionDataDelegate, Sendable {
    private let row: Table.Row
    private let url: URL

    init(_ url: URL, _ row: Table.Row) {
        self.url = url
        self.row = row
    }

    func requestData() {
        row.show("under way")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.waitsForConnectivity = true
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        session.dataTask(with: url).resume()
        session.finishTasksAndInvalidate()
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        row.show("waiting for connectivity")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let status = (task.response as? HTTPURLResponse)?.statusCode
        row.show((error as? URLError).map { "error \($0.code.rawValue)" } ?? "status \(status ?? 0)")
    }
}
