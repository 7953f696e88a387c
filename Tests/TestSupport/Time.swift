// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SystemSupport

extension Date {
    /// A time for values that are not compared with a clock.
    public static let sample = Date(timeIntervalSince1970: 1_800_000_000)

    /// The time of the machine, for what is compared with it: records of a store, certificates.
    public static var wall: Date { TimeSource.system.moment.realtime }
}

/// Waits until the task is cancelled, as an operation without an end does.
///
/// - Throws: `CancellationError`.
public func waitForCancellation() async throws {
    let (values, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in values {}
    continuation.finish()
    try Task.checkCancellation()
}
