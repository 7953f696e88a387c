// SPDX-License-Identifier: Apache-2.0

package import DialtoneNotifications

/// Reachability flags in the format that every sample program prints, such as `-R -----l-`.
package enum FlagText {
    /// The letters in order; the text has a space after the second.
    package static let letters: [(letter: Character, flag: SCNetworkReachabilityFlags, meaning: String)] = [
        ("W", .cellular, "over a cellular network"),
        ("R", .reachable, "reachable"),
        ("t", .transientConnection, "over a transient connection"),
        ("c", .connectionRequired, "a connection must be made first"),
        ("C", .connectionOnTraffic, "traffic establishes the connection"),
        ("i", .interventionRequired, "the user must act first"),
        ("D", .connectionOnDemand, "established on demand"),
        ("l", .isLocalAddress, "an address of this machine"),
        ("d", .isDirect, "on a link of this machine, without a router"),
    ]

    /// The flags as letters.
    package static func text(_ flags: SCNetworkReachabilityFlags) -> String {
        let marks = letters.map { flags.contains($0.flag) ? $0.letter : "-" }
        return String(marks.prefix(2)) + " " + String(marks.dropFirst(2))
    }

    package static func words(_ flags: SCNetworkReachabilityFlags) -> String {
        guard !flags.isEmpty else { return "not reachable" }
        return letters.filter { flags.contains($0.flag) }.map(\.meaning).joined(separator: ", ")
    }
}
