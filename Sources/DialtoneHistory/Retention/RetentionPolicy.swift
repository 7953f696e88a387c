// SPDX-License-Identifier: Apache-2.0

/// The ages and the size up to which records are kept.
package struct RetentionPolicy: Hashable, Sendable {
    /// The time for which transitions and the changes of watched hosts are kept, in seconds; 400 days by default.
    package var transitions: Double = 400 * 86_400
    /// The time for which single checks are kept, in seconds; 2 days by default.
    ///
    /// The loss and the round trips of each minute are kept for as long, and then merged to hours.
    package var checks: Double = 2 * 86_400
    /// The time for which the loss and the round trips of each hour are kept, in seconds; 400 days by default.
    package var hours: Double = 400 * 86_400
    /// The maximum size of the history on disk, in bytes; 64 MiB by default.
    ///
    /// When the history exceeds it, the oldest records are removed, checks before transitions.
    package var bytes: Int = 64 << 20

    package init() {}
}
