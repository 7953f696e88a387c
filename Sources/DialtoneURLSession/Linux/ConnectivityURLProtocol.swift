// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import FoundationNetworking

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

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let task else { return }
        guard let waiting else {
            let waiting = WaitingURLTask(task, of: task.owner, request, Self.settings)
            self.waiting = waiting
            waiting.begin()
            return
        }
        switch waiting.nextStep() {
        case .wait, .rest: break
        case .resume: loader?.startLoading()
        case .fail(let error):
            waiting.end()
            client?.urlProtocol(self, didFailWithError: error)
        case .load:
            loader = makeLoader(for: task, waiting)
            guard let loader else {
                waiting.end()
                client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
                return
            }
            loader.startLoading()
        }
    }

    override func stopLoading() {
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
    /// Foundation reports a cancellation through it. A timeout also cancels the task, but is reported as `timedOut`.
    override var client: (any URLProtocolClient)? {
        get {
            guard let client = super.client, waiting?.isTimedOut == true else { return super.client }
            return ForwardingProtocolClient(client, waiting: nil) { _ in URLError(.timedOut) }
        }
        set { super.client = newValue }
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
        guard let inner, let client else { return nil }
        return inner.init(
            task: task, cachedResponse: cachedResponse,
            client: ForwardingProtocolClient(client, waiting: waiting) { waiting.error(for: $0) })
    }
}

// A session copies its configuration, and the copy keeps only the properties that Foundation knows: nothing can be
// attached to it, and a copy is not observable. The list of protocol classes is copied, though, with the static
// properties of each class. So there is one class for each combination of the settings, and the settings are stored in
// the list: they survive every copy, need no table beside the configurations, and are released with them.

/// A setting represented as a type.
protocol SettingFlag {
    static var isSet: Bool { get }
}

enum Yes: SettingFlag { static let isSet = true }
enum No: SettingFlag { static let isSet = false }

/// The protocol class for one combination of settings.
final class ConnectivityURLProtocolVariant<
    Fails: SettingFlag, Waits: SettingFlag, Expensive: SettingFlag, Constrained: SettingFlag
>: ConnectivityURLProtocol {
    override class var settings: ConnectivitySettings {
        ConnectivitySettings(
            fails: Fails.isSet, waits: Waits.isSet, allowsExpensive: Expensive.isSet,
            allowsConstrained: Constrained.isSet)
    }
}

extension ConnectivitySettings {
    /// The protocol class with these settings; nil for Foundation's default behaviour.
    var protocolClass: ConnectivityURLProtocol.Type? {
        if self == ConnectivitySettings() { return nil }
        return fails ? variant(Yes.self) : variant(No.self)
    }

    private func variant<Fails: SettingFlag>(_ fails: Fails.Type) -> ConnectivityURLProtocol.Type {
        switch (waits, allowsExpensive, allowsConstrained) {
        case (false, true, true): ConnectivityURLProtocolVariant<Fails, No, Yes, Yes>.self
        case (false, true, false): ConnectivityURLProtocolVariant<Fails, No, Yes, No>.self
        case (false, false, true): ConnectivityURLProtocolVariant<Fails, No, No, Yes>.self
        case (false, false, false): ConnectivityURLProtocolVariant<Fails, No, No, No>.self
        case (true, true, true): ConnectivityURLProtocolVariant<Fails, Yes, Yes, Yes>.self
        case (true, true, false): ConnectivityURLProtocolVariant<Fails, Yes, Yes, No>.self
        case (true, false, true): ConnectivityURLProtocolVariant<Fails, Yes, No, Yes>.self
        case (true, false, false): ConnectivityURLProtocolVariant<Fails, Yes, No, No>.self
        }
    }
}

#endif
