// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import LibC
import SystemSupport

/// What a maintainer needs to know of one machine, as text: its user reads it before sending it.
struct SupportBundle: ~Copyable {
    /// The output of `doctor`, as text and as JSON.
    let conclusion: (text: String, json: String)
    let facts: Facts
    /// The host that `doctor` checked.
    let hostNames: [String]
    let settings: SettingValues
    let system: [String]

    /// The text, without secrets, and with numbers in the place of addresses and names.
    var text: String {
        let rows = settings.sorted { $0.key.rawValue < $1.key.rawValue }.map { setting, value in
            (setting: setting, items: Self.items(value).map { Item($0, of: setting) })
        }
        var redaction = Redaction(facts, and: hostNames + rows.flatMap { $0.items.compactMap(\.name) })
        let parts = [
            ("Conclusion", conclusion.text), ("State and facts", conclusion.json),
            (
                "Settings that are not the default",
                rows.isEmpty
                    ? "none"
                    : rows.map { "\($0.setting.rawValue): \($0.items.map(\.text).joined(separator: ", "))" }
                        .joined(separator: "\n")
            ),
        ]
        let redacted = parts.map { "\n== \($0)\n\(redaction($1))\n" }
        return (system + ["Addresses and names are replaced by numbered ones."]).joined(separator: "\n") + "\n"
            + redacted.joined()
    }

    private static func items(_ value: Setting.Value) -> [String] {
        switch value {
        case .text(let text): [text]
        case .number(_, let typed): [typed]
        case .flag(let flag): ["\(flag)"]
        case .list(let items): items
        }
    }

    /// An item of a setting, without what may be secret.
    private struct Item {
        let text: String
        /// A name in it that is replaced.
        var name: String?

        init(_ item: String, of setting: Setting) {
            let words = item.split(separator: " ", maxSplits: 1).map(String.init)
            switch setting {
            case .endpoints, .notifyURL:
                // What an endpoint must answer with may be a secret; which kind it is matters.
                let kind =
                    setting == .endpoints ? words.dropFirst().map { " \($0.prefix { $0 != ":" }):…" }.joined() : ""
                text = (words.first ?? "") + kind
                name = words.first
            case .hosts, .allowedHosts:
                // The user, the path and the query of a URL may be secret, and so may what is not a host.
                let target = try? HostTarget(item)
                let scheme = item.contains("://") ? "\(item.prefix { $0 != ":" })://" : ""
                text = target.map { scheme + $0.description } ?? "…"
                if case .name(let host) = target?.host { name = host }
            case .costs where item.hasPrefix("network:"):
                text = "network:…=\(item.split(separator: "=").last ?? "")"
            case .dataDirectory, .tokenFile, .tlsCertificate, .tlsKey, .hooks, .notifyTokenFile:
                // The names of users and of files are not needed.
                text = item.hasPrefix("/etc/") || item.hasPrefix("/var/lib/") ? item : "a path of its own"
            default: text = item
            }
        }
    }
}

extension SupportBundle {
    /// The program, the system and the time.
    static var system: [String] {
        ["Dialtone \(dialtoneBuild), \(systemName)", TimeSource.system.moment.realtime.iso8601]
    }

    #if canImport(Darwin)
    private static let systemName = "an Apple platform"
    #else
    /// The distribution, the kernel and the processor.
    private static var systemName: String {
        var name = utsname()
        unsafe uname(&name)
        let kernel = unsafe withUnsafeBytes(of: &name.release) { unsafe text($0) }
        let machine = unsafe withUnsafeBytes(of: &name.machine) { unsafe text($0) }
        let distribution = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
        return "\(distribution ?? "unknown system"), kernel \(kernel), \(machine)"
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #endif

    /// Writes the file, and appends the outages of a week and the hops of an hour, as `dialtone history` prints them: they have no
    /// addresses.
    ///
    /// - Parameters:
    ///   - config: the file with the settings; nil for the default ones.
    ///   - program: the program that reads the history; without one, the shell writes that it found none.
    func write(to path: String, config: String?, program: String? = ServerProgram.path) async throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        let histories = [("7d", "outages", "Outages of 7 days"), ("1h", "hops", "Loss and round trips of an hour")]
        for (since, kind, title) in histories {
            let script = """
                exec >>"$1" 2>/dev/null
                printf '\\n== %s\\n' "$2"
                shift 2
                "$0" history --csv --kind \(kind) --since \(since) "$@" || echo "none: dialtone history ended with $?"
                """
            let arguments = ["/bin/sh", "-c", script, program ?? "", path, title]
            let options = config.map { ["--config=\($0)"] } ?? []
            guard let child = try? ChildProcess(arguments + options, restoring: []) else { continue }
            await child.waitUntilEnded()
            _ = child.collect()
        }
    }
}
