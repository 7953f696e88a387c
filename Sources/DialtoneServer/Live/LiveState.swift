// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import DialtoneSupport

/// The current state as the page shows it.
struct LiveState: Sendable {
    /// The monitor's value: path, checks and requests together.
    var connectivity: Connectivity
    /// The value of a separate path monitor; nil before its first update.
    var path: NetworkPath?
    /// The watched hosts.
    var hosts: [HostFlags] = []
    /// The last request that a visitor started.
    var request = RequestProgress()
    /// The simulated scene; nil for the real network.
    var scene: DemoScene?
    /// The real network by each class of the libraries; empty without the demonstration.
    var variants: [VariantRow] = []
}

/// The reachability of one host.
struct HostFlags: Equatable, Sendable {
    /// Its name or address.
    var host: String
    /// The flags; nil before the first update.
    var flags: SCNetworkReachabilityFlags?
    /// The time of the last change.
    var since: Date
    /// Whether a visitor entered it.
    var isVisitors: Bool
}

/// The object of `/api/hosts`, and the data of the event `host`.
extension HostFlags: Encodable {
    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "host": host, "reachable": flags?.isReachable, "flags": flags.map { FlagText.text($0) },
            "rawFlags": flags?.rawValue, "since": since.iso8601,
        ])
    }
}
