// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession
import SystemSupport

/// Prints the events that a session reports to its delegate.
final class Delegate: NSObject, URLSessionConnectivityDelegate, URLSessionDataDelegate {
    private struct State {
        var cancelsWaits = false
        var onWait: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let ended = AsyncStream.makeStream(of: Void.self)

    var cancelsWaits: Bool {
        get { state.withLock { $0.cancelsWaits } }
        set { state.withLock { $0.cancelsWaits = newValue } }
    }

    var onWait: (@Sendable () -> Void)? {
        get { state.withLock { $0.onWait } }
        set { state.withLock { $0.onWait = newValue } }
    }

    func end() async {
        for await _ in ended.stream { return }
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        SessionClient.say("waiting")
        onWait?()
        if cancelsWaits { task.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        SessionClient.say("data \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        SessionClient.say("completed \((error as? URLError).map { "\($0.code.rawValue)" } ?? "well")")
        ended.continuation.yield()
    }
}

/// A delegate as on Apple platforms, whose method cannot be called on Linux.
final class PlainDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        SessionClient.say("waiting")
    }
}
