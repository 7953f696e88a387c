// SPDX-License-Identifier: Apache-2.0

/// Keeps a subscription to updates alive until it is cancelled or released.
package final class UpdateSubscription: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a subscription that this closure ends; the closure may be called more than once.
    package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the subscription; a call in progress may still run to its end.
    package func cancel() { onCancel() }
}
