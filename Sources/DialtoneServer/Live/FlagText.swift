// SPDX-License-Identifier: Apache-2.0

package import DialtoneNotifications

/// Reachability flags in the format that every sample program prints, such as `-R -----l-`.
package enum FlagText {
    /// The letters in order; the text has a space after the second.
    private static let letters: [(letter: Character, flag: SCNetworkReachabilityFlags)] = [
        ("W", .cellular),
        ("R", .reachable),
        ("t", .transientConnection),
        ("c", .connectionRequired),
        ("C", .connectionOnTraffic),
        ("i", .interventionRequired),
        ("D", .connectionOnDemand),
        ("l", .isLocalAddress),
        ("d", .isDirect),
    ]

    /// The flags as letters.
    package static func text(_ flags: SCNetworkReachabilityFlags) -> String {
        let marks = letters.map { flags.contains($0.flag) ? $0.letter : "-" }
        return String(marks.prefix(2)) + " " + String(marks.dropFirst(2))
    }
}
