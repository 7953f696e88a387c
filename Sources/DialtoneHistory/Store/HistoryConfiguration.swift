// SPDX-License-Identifier: Apache-2.0

/// The configuration of a history.
public struct HistoryConfiguration: Sendable {
    /// The ages and the size up to which records are kept.
    public var retention = RetentionPolicy()
    /// The maximum number of seconds between two calls of ``HistoryStore/heartbeat(at:)``.
    ///
    /// After a crash, the recorded end of the run is too early by at most this interval.
    public var heartbeatInterval: Double = 10
    /// Reads the host's clocks; tests replace it.
    public var clock: @Sendable () -> ClockReading = ClockReading.now
    /// Receives each change of the store's health, and a notice for each quarantined file.
    ///
    /// It is called on a queue of the store and should return quickly.
    public var onNotice: (@Sendable (HistoryNotice) -> Void)?

    /// Creates the default configuration.
    public init() {}
}
