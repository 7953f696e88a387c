//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

/// Where a monitor's paths come from: the system, a recording, or a script.
public protocol PathSource: Sendable {
    /// Begins to deliver: the current path as soon as it is known, then each change, in order.
    ///
    /// - Parameter receive: called by one thread at a time. It returns quickly.
    /// - Returns: what ends the delivery.
    func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> PathSubscription
}

/// Keeps a subscription to paths alive.
public final class PathSubscription: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Makes a subscription that ends by calling this.
    ///
    /// It may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the subscription; a call that has begun may still run to its end.
    public func cancel() { onCancel() }
}

/// The paths of this machine, from `NWPathMonitor`.
///
/// On Linux they are those of the network namespace of the thread that subscribes.
public struct SystemPathSource: PathSource {
    private let filter: PathFilter

    /// The paths over the interfaces that a filter lets through.
    public init(_ filter: PathFilter = PathFilter()) { self.filter = filter }

    /// Subscribes: see `PathSource`.
    public func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> PathSubscription {
        filter.makeMonitor().subscribe(receive)
    }
}

extension NWPathMonitor: PathSource {
    /// Starts the monitor, and cancels it when the subscription ends.
    ///
    /// A monitor can be started only once, so it serves one subscription. The handler that it had is replaced.
    public func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> PathSubscription {
        pathUpdateHandler = { receive(NetworkPath($0)) }
        start(queue: DispatchQueue(label: "dialtone.connectivity", target: pathThread))
        return PathSubscription { self.cancel() }
    }
}

/// What all of them run on.
///
/// By itself a queue brings a thread whenever it has work, and a hundred monitors would bring a hundred. Dispatch's pool is not
/// for this: from its first use on it wakes every second.
private let pathThread = DispatchQueue(label: "dialtone.connectivity")
