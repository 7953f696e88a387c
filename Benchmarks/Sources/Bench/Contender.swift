// SPDX-License-Identifier: Apache-2.0

/// A program to measure.
struct Contender: Hashable {
    /// The format of its lines.
    enum Style {
        /// As in `Contenders/line.h`: with the time of the handler.
        case stamped
        /// JSON Lines of `dialtone watch --json`.
        case json
        /// Any text: a line is an event.
        case text
    }

    let name: String
    var command: [String]
    /// The command that runs it, with its arguments.
    var prefix: [String] = []
    var style = Style.stamped
    /// It reports whether there is a path from the kernel's state, not only from the events that it received.
    var answers = false
    /// It is one of Dialtone's programs.
    var isOurs = false
    /// Its name in `absent`.
    var builtAs: String?
}

/// The folders of the programs.
struct Programs {
    /// The build folder of this package.
    let swift: String
    /// The folder that `Contenders/build` filled.
    let peers: String
    /// The names of the contenders that could not be built.
    let absent: [String]

    var closure: Contender {
        .init(
            name: "OpenNetwork, closure", command: ["\(swift)/PathContender", "closure"], answers: true,
            isOurs: true)
    }
    var calls: Contender {
        .init(name: "Swift, same calls", command: ["\(swift)/CallsContender"], answers: true)
    }
    var sequence: Contender {
        .init(
            name: "OpenNetwork, async sequence", command: ["\(swift)/PathContender", "sequence"], answers: true,
            isOurs: true)
    }
    var watch: Contender {
        .init(
            name: "`dialtone watch --passive --json`", command: ["\(swift)/dialtone", "watch", "--passive", "--json"],
            style: .json, answers: true, isOurs: true)
    }
    var status: Contender {
        .init(
            name: "`dialtone status --passive`", command: ["\(swift)/dialtone", "status", "--passive"], style: .text,
            isOurs: true)
    }
    var options: Contender {
        .init(name: "Swift, six options", command: ["\(swift)/OptionsContender", "--json", "--passive"])
    }
    var word: Contender {
        .init(name: "Swift, prints a word", command: ["\(peers)/word"], style: .text, builtAs: "word")
    }
    func monitors(_ count: Int) -> Contender {
        .init(name: "\(count) monitors", command: ["\(swift)/PathContender", "closure", "\(count)"], isOurs: true)
    }
    func hosts(_ count: Int) -> Contender {
        .init(
            name: count == 1 ? "Dialtone, one host watched" : "\(count) hosts",
            command: ["\(swift)/DialtoneContender", "hosts", "\(count)"], isOurs: true)
    }
    func work(_ arguments: String...) -> Contender {
        .init(name: "Dialtone", command: ["\(swift)/DialtoneContender"] + arguments, isOurs: true)
    }

    func raw(_ mode: String = "") -> Contender {
        .init(
            name: mode.isEmpty ? "raw" : "raw, \(mode)", command: ["\(peers)/raw", mode],
            answers: mode.hasPrefix("careful") || mode.hasPrefix("same-calls"), builtAs: "raw")
    }
    var glib: Contender {
        .init(name: "GLib GNetworkMonitor", command: ["\(peers)/glib"], answers: true, builtAs: "glib")
    }
    var library: Contender {
        .init(
            name: "libdialtone, in C", command: ["\(peers)/dialtone"], answers: true, isOurs: true, builtAs: "dialtone")
    }
    var libnl: Contender { .init(name: "libnl caches", command: ["\(peers)/libnl"], builtAs: "libnl") }
    var ip: Contender {
        .init(
            name: "`ip monitor`", command: ["ip", "monitor", "link", "address", "route"], style: .text,
            builtAs: "ip")
    }
    var go: Contender { .init(name: "Go vishvananda/netlink", command: ["\(peers)/go"], builtAs: "go") }
    var python: Contender {
        .init(
            name: "pyroute2", command: ["\(peers)/python/bin/python", "\(peers)/watch_pyroute2.py"], builtAs: "python")
    }
    func http(_ arguments: String...) -> Contender {
        .init(name: "raw C request", command: ["\(peers)/http"] + arguments, builtAs: "http")
    }

    /// The contenders that were built.
    func present(_ contenders: [Contender]) -> [Contender] {
        contenders.filter { !absent.contains($0.builtAs ?? "") }
    }
}
