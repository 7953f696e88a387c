// SPDX-License-Identifier: Apache-2.0

import Dispatch
import OpenNetwork

/// A source of a monitor's paths: the system, a recording, or a script.
package protocol PathSource: Sendable {
    /// Starts to deliver paths: the current one as soon as it is known, then each change, in order.
    ///
    /// - Parameter receive: called by one thread at a time; it must return quickly.
    /// - Returns: a subscription that ends the delivery.
    func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription
}

/// The paths of this machine.
///
/// On Linux they are those of the network namespace of the thread that subscribes.
package struct SystemPathSource: PathSource {
    let filter: PathFilter

    /// Creates a source of the paths over the interfaces that a filter allows.
    package init(_ filter: PathFilter = PathFilter()) { self.filter = filter }

    /// Subscribes to the paths; see `PathSource`.
    package func subscribe(_ receive: @escaping @Sendable (NetworkPath) -> Void) -> UpdateSubscription {
        let monitor = filter.makeMonitor()
        monitor.pathUpdateHandler = { [filter] in receive(filter.path($0)) }
        monitor.start(queue: pathQueue)
        return UpdateSubscription { monitor.cancel() }
    }
}

/// The serial queue that delivers the paths of all monitors; nothing on it may block.
///
/// A queue without a target uses a thread whenever it has work, and a hundred monitors would use a hundred threads.
/// Dispatch's pool is unsuitable: after its first use it wakes every second.
private let pathQueue = DispatchQueue(label: "dialtone.connectivity")
