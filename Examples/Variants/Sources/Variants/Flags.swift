// SPDX-License-Identifier: Apache-2.0

import SystemConfiguration

extension SCNetworkReachabilityFlags {
    /// The rule of every sample program: reachable without a connection that the user must make first.
    var isUsable: Bool {
        let isAutomatic = contains(.connectionOnDemand) || contains(.connectionOnTraffic)
        return contains(.reachable)
            && (!contains(.connectionRequired) || (isAutomatic && !contains(.interventionRequired)))
    }

    /// The flags for a table.
    var summary: String { "\(isUsable ? "reachable" : "not reachable"), flags \(rawValue)" }
}

/// Watches a target with the callback, the context and the queue that SystemConfiguration needs.
///
/// `@unchecked Sendable`: the target may be used on any thread, but Apple's type does not declare that.
final class FlagsWatch: @unchecked Sendable {
    private let target: SCNetworkReachability
    private let row: Table.Row
    private let queue = DispatchQueue(label: "Variants.flags")

    init(_ target: SCNetworkReachability, _ row: Table.Row) {
        self.target = target
        self.row = row
        start()
    }

    private func start() {
        // The program never releases a watch, so the context need not retain it.
        var context = SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(self).toOpaque(), retain: nil, release: nil,
            copyDescription: nil)
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            Unmanaged<FlagsWatch>.fromOpaque(info).takeUnretainedValue().row.show(flags.summary)
        }
        guard SCNetworkReachabilitySetCallback(target, callback, &context),
            SCNetworkReachabilitySetDispatchQueue(target, queue)
        else { return row.show("cannot be watched") }
        // An address has no first callback.
        queue.async {
            var flags = SCNetworkReachabilityFlags()
            if SCNetworkReachabilityGetFlags(self.target, &flags) { self.row.show(flags.summary) }
        }
    }
}
