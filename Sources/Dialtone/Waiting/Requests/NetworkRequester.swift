// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import SystemSupport

/// Performs requests, and reports whether this machine is online by the outcome of the last one.
///
/// ```swift
/// let requester = NetworkRequester()
/// let weather = try await requester.request(Weather.self) {
///     let (body, status) = try await myClient.get("/weather")
///     return NetworkRequester.Reply(status: status, body: body)
/// }
/// print(requester.status.advice.instruction)  // "Based upon your last request, you are online."
/// ```
///
/// It works with any client; there are shorter forms for URLSession (`DialtoneURLSession`) and for async-http-client
/// (`DialtoneAsyncHTTPClient`). The requester reports each outcome to the monitor, which then checks if the outcome
/// contradicts its last verdict. Requests may overlap: the one that started last determines the status.
public final class NetworkRequester: Sendable {
    /// The monitor that supplies the path and the verdict, and receives the outcomes.
    public let monitor: ConnectivityMonitor
    /// Whether a failure waits for the monitor's check of the Internet, so that a login page or a dead uplink is
    /// reported as such.
    public let verifiesFailures: Bool

    private let machine = Mutex(RequestMachine())
    let statuses = Broadcaster(RequestMachine().status)

    /// Creates a requester.
    ///
    /// - Parameters:
    ///   - monitor: supplies the path and the verdict; if the monitor is resting, errors alone decide.
    ///   - verifiesFailures: whether a failure is reported only after the monitor has checked the Internet, which takes
    ///     as long as its check; if false, what the monitor already knows decides.
    public init(_ monitor: ConnectivityMonitor = .shared, verifiesFailures: Bool = true) {
        self.monitor = monitor
        self.verifiesFailures = verifiesFailures
    }

    deinit { statuses.finish() }

    /// The status of the last request.
    public var status: NetworkRequester.Status { machine.withLock { $0.status } }

    /// The status as an asynchronous sequence: the current one first, then each change.
    ///
    /// It ends with its task or with the requester.
    ///
    /// - Parameter buffering: which values a loop gets that is slower than the requests.
    public func updates(_ buffering: ConnectivityUpdates.Buffering = .newest) -> AsyncStream<NetworkRequester.Status> {
        statuses.values(buffering: buffering.capacity)
    }

    func begin() -> UInt64 { change { $0.begin() } }

    func end(_ number: UInt64, _ outcome: NetworkRequester.Outcome, because reason: String? = nil) {
        let now = monitor.time.moment.realtime
        change { $0.end(number, outcome, because: reason, at: now) }
    }

    private func change<Value: Sendable>(_ body: (inout RequestMachine) -> Value) -> Value {
        let value = machine.withLock { machine in
            let before = machine.status
            let value = body(&machine)
            if machine.status != before { statuses.enqueue(machine.status) }
            return value
        }
        statuses.deliver()
        return value
    }
}

extension NetworkRequester {
    /// Receives the status of a requester.
    public protocol Delegate: AnyObject, Sendable {
        /// Called with the current status first, then with each change, on the queue passed with the delegate, in order.
        func networkRequester(_ requester: NetworkRequester, didChangeTo status: NetworkRequester.Status)
    }

    /// The requester that the whole process shares; it reports to `ConnectivityMonitor.shared`.
    public static let shared = NetworkRequester()

    /// Calls a closure with the current status, and then with every change, in order and one at a time.
    ///
    /// - Parameters:
    ///   - queue: the queue for the calls; the main queue by default.
    ///   - handler: the closure.
    /// - Returns: an object that keeps the observation alive.
    public func observe(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (NetworkRequester.Status) -> Void
    ) -> NetworkRequester.StatusObservation {
        StatusObservation(statuses, DispatchQueue(label: "dialtone.requests", target: queue), handler)
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
        _ delegate: any NetworkRequester.Delegate, queue: DispatchQueue = .main
    ) -> NetworkRequester.StatusObservation {
        observe(on: queue) { [weak self, weak delegate] status in
            guard let self else { return }
            delegate?.networkRequester(self, didChangeTo: status)
        }
    }

    /// Keeps an observation of a requester alive, until it is cancelled or released.
    public final class StatusObservation: Sendable {
        private let statuses: Broadcaster<Status>
        private let subscription: Broadcaster<Status>.Subscription
        private let isEnded = OnceFlag()

        init(_ statuses: Broadcaster<Status>, _ queue: DispatchQueue, _ handler: @escaping @Sendable (Status) -> Void) {
            self.statuses = statuses
            subscription = statuses.subscribe { [isEnded] status in
                queue.async { if !isEnded.isSet { handler(status) } }
            }
        }

        deinit { cancel() }

        /// Ends the observation: after this, no call starts.
        public func cancel() {
            _ = isEnded.set()
            statuses.cancel(subscription)
        }
    }
}
