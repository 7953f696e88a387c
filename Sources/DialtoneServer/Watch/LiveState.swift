//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneNotifications
import FoundationEssentials

/// All that is known at one moment, as the page shows it.
struct LiveState: Sendable {
    /// What the monitor says: path, checks and requests together.
    var connectivity: Connectivity
    /// What a path monitor says by itself; nil before its first word.
    var path: NetworkPath?
    /// The hosts whose reachability is watched.
    var hosts: [HostFlags] = []
    /// The request that somebody asked for last.
    var request = RequestProgress()
    /// The scene that is played instead of the network; nil for the network itself.
    var scene: DemoScene?
}

/// What is known of one host.
struct HostFlags: Hashable, Sendable {
    /// Its name or address.
    var host: String
    /// The flags; nil before the first.
    var flags: SCNetworkReachabilityFlags?
    /// Since when.
    var since: Date
    /// Whether a visitor typed it.
    var isVisitors: Bool

    /// The object of `/api/hosts`, and the data of the event `host`.
    var json: String {
        let text = flags.map { FlagText.text($0) }
        return "{\"host\":\(JSONText.quoted(host)),\"reachable\":\(flags.map { "\($0.isReachable)" } ?? "null"),"
            + "\"flags\":\(JSONText.quoted(text)),\"rawFlags\":\(flags.map { "\($0.rawValue)" } ?? "null"),"
            + "\"since\":\(JSONText.quoted(Moment.iso(since)))}"
    }
}
