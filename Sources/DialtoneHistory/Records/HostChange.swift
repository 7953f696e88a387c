// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

/// A watched host that became reachable or unreachable.
package struct HostChange: Hashable, Sendable {
    let time: Date
    /// The name of the host; at most 300 characters.
    package let host: String
    package let isReachable: Bool
    /// Why it is not reachable, as a sentence; at most 300 characters.
    package let reason: String?

    package init(time: Date, host: String, isReachable: Bool, reason: String?) {
        self.time = time
        self.host = String(host.prefix(300))
        self.isReachable = isReachable
        self.reason = reason.map { String($0.prefix(300)) }
    }
}
