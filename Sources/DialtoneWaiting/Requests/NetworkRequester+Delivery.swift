// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Synchronization

/// Receives the status of a requester.
public protocol NetworkRequesterDelegate: AnyObject, Sendable {
    /// Called with the current status first, then with each change, on the queue passed with the delegate, in order.
    func networkRequester(_ requester: NetworkRequester, didChangeTo status: RequestStatus)
}

extension NetworkRequester {
    /// The requester that the whole process shares; it reports to `ConnectivityMonitor.shared`.
    public static let shared = NetworkRequester()

    /// Calls a closure with the current status, and then with every change, in order and one at a time.
    ///
    /// - Parameters:
    ///   - queue: the queue for the calls; the main queue by default.
    ///   - handler: the closure.
    /// - Returns: an object that keeps the observation alive.
    public func observe(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (RequestStatus) -> Void
    ) -> RequestObservation {
        RequestObservation(updates(.everyTransition), DispatchQueue(label: "dialtone.requests", target: queue), handler)
    }

    /// Calls a delegate with the current status, and then with every change.
    ///
    /// The requester may have several delegates, and holds them weakly.
    ///
    /// - Parameters:
    ///   - delegate: the delegate.
    ///   - queue: the queue for the calls; the main queue by default.
    /// - Returns: an object that keeps the observation alive.
    public func addDelegate(
        _ delegate: any NetworkRequesterDelegate, queue: DispatchQueue = .main
    ) -> RequestObservation {
        observe(on: queue) { [weak self, weak delegate] status in
            guard let self else { return }
            delegate?.networkRequester(self, didChangeTo: status)
        }
    }
}

/// Keeps an observation of a requester alive, until it is cancelled or released.
public final class RequestObservation: Sendable {
    private let task: Task<Void, Never>
    private let isEnded = ConnectivityObservation.Flag()

    init(
        _ statuses: AsyncStream<RequestStatus>, _ queue: DispatchQueue,
        _ handler: @escaping @Sendable (RequestStatus) -> Void
    ) {
        task = Task { [isEnded] in
            for await status in statuses {
                queue.async {
                    if !isEnded.isSet { handler(status) }
                }
            }
        }
    }

    deinit { cancel() }

    /// Ends the observation: after this, no call starts.
    public func cancel() {
        if isEnded.set() { task.cancel() }
    }
}
