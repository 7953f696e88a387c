//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

/// Stands before Foundation's own loader: lets a task begin when there is connectivity for it.
///
/// Foundation makes one for each task of a session whose configuration names it, and starts and stops it on the task's
/// queue. It makes the loader that would have been used without it, hands the task over, and watches only for a failure
/// to establish a connection.
class ConnectivityGate: URLProtocol {
    /// What the configuration says.
    class var settings: ConnectivitySettings { ConnectivitySettings() }

    // Both are touched on the task's queue only.
    private var passage: GatePassage?
    private var loader: URLProtocol?

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let task else { return }
        guard let passage else {
            let passage = GatePassage(task, of: task.owner, request, Self.settings)
            self.passage = passage
            passage.begin()
            return
        }
        switch passage.take() {
        case .wait, .rest: break
        case .resume: loader?.startLoading()
        case .fail(let error):
            passage.end()
            client?.urlProtocol(self, didFailWithError: error)
        case .load:
            loader = makeLoader(for: task, passage)
            guard let loader else {
                passage.end()
                client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
                return
            }
            loader.startLoading()
        }
    }

    override func stopLoading() {
        switch task?.state {
        case .suspended: loader?.stopLoading()
        // It was suspended and resumed again before it came to this: nothing has changed.
        case .running: break
        default:
            loader?.stopLoading()
            passage?.end()
        }
    }

    /// Foundation tells of a cancellation through this; a timeout is one, but is to be told as what it is.
    override var client: (any URLProtocolClient)? {
        get {
            guard let client = super.client, passage?.isTimedOut == true else { return super.client }
            return GateClient(client, passage: nil) { _ in URLError(.timedOut) }
        }
        set { super.client = newValue }
    }

    /// The loader that the session would have used without the gate.
    private func makeLoader(for task: URLSessionTask, _ passage: GatePassage) -> URLProtocol? {
        let classes = task.owner?.configuration.protocolClasses ?? URLSessionConfiguration.default.protocolClasses ?? []
        let request = request
        let inner = classes.lazy.compactMap { $0 as? URLProtocol.Type }.first {
            !($0 is ConnectivityGate.Type) && $0.canInit(with: request)
        }
        guard let inner, let client else { return nil }
        return inner.init(
            task: task, cachedResponse: cachedResponse,
            client: GateClient(client, passage: passage) { passage.judge($0) })
    }
}
#endif
