//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin) || Publishers

import Synchronization

/// What a reachability object with a callback must offer to be a provider; most such libraries need a few lines for it.
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
    /// What to call with each change, on any thread, one call at a time; nil is nobody.
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? { get set }

    /// The status at this moment.
    var currentStatus: NetworkReachabilityStatus { get }

    /// Begins to call.
    ///
    /// - Throws: anything, when it cannot.
    func startNotifier() throws

    /// Stops calling.
    func stopNotifier()
}

#endif
