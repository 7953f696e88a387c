// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession
import SystemSupport

/// Forty requests whose responses never end, in a session that waits for connectivity.
final class EndlessRequests: Sendable {
    private let url: URL
    private let session: URLSession
    private static let count = 40

    init(url: URL, session: URLSession) {
        self.url = url
        self.session = session
    }

    func run() async throws {
        let configuration = session.configuration
        configuration.httpMaximumConnectionsPerHost = Self.count
        let observer = StartObserver(count: Self.count)
        let session = URLSession(configuration: configuration, delegate: observer, delegateQueue: nil)
        for _ in 0..<Self.count { session.dataTask(with: url).resume() }
        await observer.untilAllStarted()
        session.invalidateAndCancel()
    }
}

private final class StartObserver: NSObject, URLSessionDataDelegate, URLSessionConnectivityDelegate {
    private let count: Int
    private let state = Mutex((waiting: 0, started: Set<Int>()))
    private let (all, end) = AsyncStream<Void>.makeStream()

    init(count: Int) { self.count = count }

    func untilAllStarted() async { for await _ in all {} }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        let waiting = state.withLock { state in
            state.waiting += 1
            return state.waiting
        }
        if waiting == count { SessionClient.say("all wait") }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (isNew, started) = state.withLock { state in
            (state.started.insert(dataTask.taskIdentifier).inserted, state.started.count)
        }
        guard isNew, started == count else { return }
        SessionClient.say("\(started) started")
        end.finish()
    }
}
