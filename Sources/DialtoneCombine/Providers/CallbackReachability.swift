// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers

import Synchronization

/// The interface that a callback-based reachability object needs to become a provider; most need only a few lines.
///
/// ```swift
/// extension SomeReachability: CallbackReachability {
///     var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
///         get { nil }
///         set { whenChanged = { newValue?($0.isUp ? .reachable(.ethernetOrWiFi) : .notReachable) } }
///     }
///     var currentStatus: NetworkReachabilityStatus { isUp ? .reachable(.ethernetOrWiFi) : .notReachable }
///     func startNotifier() throws { try begin() }
///     func stopNotifier() { end() }
/// }
/// let provider = CallbackReachabilityProvider(SomeReachability())
/// ```
public protocol CallbackReachability: AnyObject {
    /// The closure to call with each change, on any thread, one call at a time; nil for none.
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? { get set }

    /// The current status.
    var currentStatus: NetworkReachabilityStatus { get }

    /// Starts calling the handler.
    ///
    /// - Throws: any error if the object cannot start.
    func startNotifier() throws

    /// Stops calling the handler.
    func stopNotifier()
}

#endif
