// SPDX-License-Identifier: Apache-2.0

package import DialtoneNotifications

/// Reachability flags in the format that every sample program prints, such as `-R -----l-`.
package enum FlagText {
    /// A letter and its meaning.
    package struct Letter: Sendable {
        package let letter: Character
        package let flag: SCNetworkReachabilityFlags
        package let meaning: String
    }

    /// The letters in order; the text has a space after the second.
    package static let letters: [Letter] = [
        Letter(letter: "W", flag: .cellular, meaning: "over a cellular network"),
        Letter(letter: "R", flag: .reachable, meaning: "reachable"),
        Letter(letter: "t", flag: .transientConnection, meaning: "over a transient connection"),
        Letter(letter: "c", flag: .connectionRequired, meaning: "a connection must be made first"),
        Letter(letter: "C", flag: .connectionOnTraffic, meaning: "traffic establishes the connection"),
        Letter(letter: "i", flag: .interventionRequired, meaning: "the user must act first"),
        Letter(letter: "D", flag: .connectionOnDemand, meaning: "established on demand"),
        Letter(letter: "l", flag: .isLocalAddress, meaning: "an address of this machine"),
        Letter(letter: "d", flag: .isDirect, meaning: "on a link of this machine, without a router"),
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
