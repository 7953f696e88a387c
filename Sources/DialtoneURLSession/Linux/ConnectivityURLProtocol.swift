// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import FoundationNetworking
import SystemSupport

/// Runs before Foundation's own loader, and starts a task's loading once the connectivity that it needs is available.
///
/// Foundation creates an instance for each task of a session whose configuration lists the class, and starts and stops
/// it on the task's queue. The instance creates the loader that the session would otherwise have used, hands the task
/// over to it, and handles only a failure to establish a connection.
class ConnectivityURLProtocol: URLProtocol {
    /// The settings of the session's configuration.
    class var settings: ConnectivitySettings { ConnectivitySettings() }

    // Both are used on the task's queue only.
    private var waiting: WaitingURLTask?
    private var loader: URLProtocol?
    /// Whether the end of the task's loading has been forwarded.
    ///
    /// A task that is cancelled while its end is on the way to the delegate queue ends once more. Foundation ends the program if it
    /// has removed the task from its registry by then.
    private let hasEnded = OnceFlag()

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let task, !hasEnded.isSet else { return }
        let waiting = self.waiting ?? waitingTask(for: task)
        if self.waiting == nil {
            self.waiting = waiting
            waiting.begin()
        }
        switch waiting.nextStep() {
        case .wait: break
        case .resume:
            guard let loader else { return }
            loader.startLoading()
            waiting.inspect(TransferFacts(of: loader))
        case .fail(let error):
            waiting.end()
            client?.urlProtocol(self, didFailWithError: error)
        case .load:
            loader = makeLoader(for: task, waiting)
            guard let loader else {
                waiting.end()
                client?.urlProtocol(self, didFailWithError: URLError(describing: .unsupportedURL))
                return
            }
            loader.startLoading()
            waiting.loadingBegan()
        }
    }

    override func stopLoading() {
        // The loader has ended already.
        guard !hasEnded.isSet else {
            waiting?.end()
            return
        }
        switch task?.state {
        case .suspended: loader?.stopLoading()
        // The task was suspended and resumed again before this call: nothing has changed.
        case .running: break
        default:
            loader?.stopLoading()
            waiting?.end()
        }
    }

    /// The receiver of the loader's events.
    ///
    /// Foundation reports a cancellation through it. A time limit also cancels the task, but has its own error.
    override var client: (any URLProtocolClient)? {
        get {
            guard let client = super.client else { return nil }
            let end = waiting?.endError
            return ForwardingProtocolClient(client, waiting: nil, hasEnded: hasEnded) { _, error in
                end ?? URLError.described(error)
            }
        }
        set { super.client = newValue }
    }

    /// Creates what decides about the task, and starts this protocol again on the task's queue after each decision.
    private func waitingTask(for task: URLSessionTask) -> WaitingURLTask {
        let queue = task.queue
        let hasEnded = hasEnded
        // It is used on the task's queue only.
        nonisolated(unsafe) weak let weakSelf = self
        return WaitingURLTask(task, of: task.owner, request, Self.settings) {
            guard let queue else {
                // Resuming a running task also makes Foundation start the protocol. It waits for the task's queue, so no
                // thread of the concurrency runtime may do it, nor that of the timers. Foundation may end the program if the
                // task ends meanwhile.
                DispatchQueue.global().async { if !hasEnded.isSet, task.state == .running { task.resume() } }
                return
            }
            queue.async { if task.state == .running { unsafe weakSelf?.startLoading() } }
        }
    }

    /// Creates the loader that the session would have used without this class.
    private func makeLoader(for task: URLSessionTask, _ waiting: WaitingURLTask) -> URLProtocol? {
        // The list of the shared session is empty until another session has been created.
        let classes =
            (task.owner?.configuration.protocolClasses ?? []) + (URLSessionConfiguration.default.protocolClasses ?? [])
        let request = request
        let inner = classes.lazy.compactMap { $0 as? URLProtocol.Type }.first {
            !($0 is ConnectivityURLProtocol.Type) && $0.canInit(with: request)
        }
        guard let inner, let client = super.client else { return nil }
        return inner.init(
            task: task, cachedResponse: cachedResponse,
            client: ForwardingProtocolClient(client, waiting: waiting, hasEnded: hasEnded) { loader, error in
                waiting.error(for: error, TransferFacts(of: loader))
            })
    }
}

#endif
