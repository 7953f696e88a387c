//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Dispatch

/// Calls once after some seconds, unless it is released before.
///
/// Sendable, unchecked: Dispatch allows its sources to be used from any thread, and nothing here changes.
final class RetryTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    private static let queue = DispatchQueue(label: "dialtone.reachability.timer")

    init(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: Self.queue)
        // Nobody minds a tenth more, and the system may serve several timers at once.
        source.schedule(deadline: .now() + seconds, leeway: .milliseconds(Int(seconds * 100)))
        source.setEventHandler(handler: body)
        source.activate()
    }

    deinit { source.cancel() }
}

#endif
