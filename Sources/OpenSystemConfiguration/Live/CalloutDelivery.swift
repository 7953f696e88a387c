//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Dispatch

/// Gets callouts to where the client wants them.
protocol CalloutDelivery: AnyObject, Sendable {
    /// Has a callout run there, soon; requests before it has begun may be one.
    func request(_ callout: @escaping @Sendable () -> Void)
    /// No callout begins any more.
    func end()
}

/// Callouts on a dispatch queue, one at a time even when the queue is a concurrent one.
final class QueueDelivery: CalloutDelivery {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = DispatchQueue(label: "dialtone.reachability", target: queue)
    }

    func request(_ callout: @escaping @Sendable () -> Void) { queue.async(execute: callout) }

    func end() {}
}

#endif
