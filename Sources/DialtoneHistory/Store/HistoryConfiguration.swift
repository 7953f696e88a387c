//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How a history is kept.
public struct HistoryConfiguration: Sendable {
    /// For how long what is kept.
    public var retention = RetentionPolicy()
    /// How many seconds there are at most between two calls of ``HistoryStore/heartbeat(at:)``: by so much at most the end
    /// of a run that crashed is known too early.
    public var heartbeatInterval: Double = 10
    /// Tells what the clocks of the host say; to be replaced by tests.
    public var clock: @Sendable () -> ClockReading = ClockReading.now
    /// Hears of each change of the store's health, and of what was kept aside.
    ///
    /// It is called on a queue of the store, and should return soon.
    public var onNotice: (@Sendable (HistoryNotice) -> Void)?

    /// Makes the usual configuration.
    public init() {}
}
