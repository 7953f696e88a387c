// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// The values that one source defines.
package typealias SettingValues = [Setting: Setting.Value]

/// A setting, which an option, an environment variable or a file can define.
///
/// `row` is the table of settings: options, variables, the file and the documentation are derived from it.
package enum Setting: String, CaseIterable, Sendable {
    case endpoints, quorum, timeout, family, proxy
    case publicAddresses = "public-addresses"
    case requireTLS = "require-tls"
    case interval, heartbeat, passive, costs
    // Only `dialtone serve` reads these, except that `dialtone history` also reads the first.
    case dataDirectory = "data-dir"
    case listen
    case tokenFile = "token-file"
    case tlsCertificate = "tls-certificate"
    case tlsKey = "tls-key"
    case allowedHosts = "allow-hosts"
    case hosts
    case hostInterval = "host-interval"
    case hooks
    case hookTimeout = "hook-timeout"
    case hookAfter = "hook-after"
    case notifyURL = "notify-url"
    case notifyTokenFile = "notify-token-file"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// A row of the table of settings.
    struct Row {
        /// The name of the option, if it differs from the name of the setting.
        var option: String?
        /// The placeholder of the option's value in the help.
        var value: String?
        let help: String
        /// The required form of a value: completes "must be …".
        let form: String
        /// The default, in words.
        let standard: String
        let reading: Reading
    }

    /// The conversion of a value, and the property that it sets.
    enum Reading {
        case text((inout Settings, Sourced<String>) throws -> Void)
        case seconds(WritableKeyPath<Settings, Duration?>, ClosedRange<Double>)
        case flag(WritableKeyPath<Settings, Bool>)
        case list((inout Settings, Sourced<[String]>) throws -> Void)
    }

    var row: Row {
        switch self {
        case .endpoints:
            Row(
                option: "endpoint", value: "url",
                help: """
                    Check this URL instead of the default ones. A URL alone must answer with an empty 204; 'URL EXPECTATION' \
                    says otherwise: status:CODE, body:TEXT, prefix:TEXT, contains:TEXT, regex:RE or nonce.
                    """,
                form: "a list of strings such as \"https://example.com/ok.txt body:OK\"",
                standard: "twelve endpoints of six operators",
                reading: .list { settings, texts in
                    settings.configuration.endpoints = try texts.value.map { try InternetCheck.Endpoint(parsing: $0) }
                })
        case .quorum:
            Row(
                value: "n", help: "How many endpoints must answer as expected.",
                form: "a whole number or a percentage such as 50%",
                standard: "50%",
                reading: .text { $0.configuration.quorum = try InternetCheck.Quorum(parsing: $1.value) })
        case .timeout:
            Row(
                value: "seconds", help: "How long the whole check may take.",
                form: "a number of seconds from 0.001 to 3600",
                standard: "10; 6 for status", reading: .seconds(\.timeout, 0.001...3600))
        case .family:
            Row(
                value: "4|6|any", help: "Use only this version of the Internet Protocol.", form: "4, 6 or any",
                standard: "any",
                reading: .choice(\.configuration.family, ["4": .ipv4, "6": .ipv6, "any": .any]))
        case .proxy:
            Row(
                value: "environment|none",
                help: "Use the proxies that http_proxy, https_proxy, all_proxy and no_proxy name, or none.",
                form: "environment or none", standard: "environment",
                reading: .choice(\.configuration.proxies, ["environment": .environment, "none": .bypass]))
        case .publicAddresses:
            Row(
                option: "public-address", value: "address",
                help:
                    "Connect to this address if a check does not simply pass, to tell broken names from a dead uplink.",
                form: "a list of addresses such as \"9.9.9.9\"",
                standard: "those of three DNS operators with the default endpoints, else none",
                reading: .list { settings, texts in
                    settings.configuration.publicAddresses = try texts.value.map { text in
                        guard let address = NetworkAddress(text) else { throw WrongForm() }
                        return address
                    }
                })
        case .requireTLS:
            Row(
                help: "Report verified Internet access only if HTTPS took part in the check.", form: "true or false",
                standard: "false", reading: .flag(\.configuration.requiresTLS))
        case .interval:
            Row(
                value: "seconds", help: "Check again after this time while online; while offline, sooner.",
                form: "a number of seconds from 0.1 to 10000000", standard: "60",
                reading: .seconds(\.interval, 0.1...1e7))
        case .heartbeat:
            Row(
                value: "seconds",
                help: """
                    Also send a packet to a public DNS resolver at this interval, to notice an outage within seconds; off sends \
                    none.
                    """,
                form: "a number of seconds from 1 to 86400, or off", standard: "5 for serve, off for watch",
                reading: .text { settings, text in
                    guard text.value != "off" else { return settings.heartbeat = .zero }
                    guard let seconds = Double(text.value), (1...86_400).contains(seconds) else { throw WrongForm() }
                    settings.heartbeat = .seconds(seconds)
                })
        case .passive:
            Row(
                help: "Send no packets; report only whether there is a path.", form: "true or false",
                standard: "false", reading: .flag(\.isPassive))
        case .costs:
            Row(
                option: "cost", value: "link=cost",
                help: """
                    What a link costs: interface:NAME=COST, network:NAME=COST or type:TYPE=COST, where COST is expensive, \
                    inexpensive, constrained, unconstrained or ultra-constrained.
                    """,
                form: "a list of strings such as \"type:cellular=inexpensive\"",
                standard: "cellular and metered links are expensive",
                reading: .list { settings, rules in for rule in rules.value { try settings.costs.add(rule) } })
        case .dataDirectory:
            Row(
                value: "directory", help: "The directory of the history.", form: "an absolute path",
                standard: "$STATE_DIRECTORY, $XDG_STATE_HOME/dialtone or ~/.local/state/dialtone",
                reading: .path(\.dataDirectory))
        case .listen:
            Row(
                value: "address:port",
                help: "Listen on this address and port; port 0 picks a free one, none opens no port.",
                form: "a list of strings such as \"127.0.0.1:4780\", or \"none\"", standard: "127.0.0.1:4780",
                reading: .list { $0.listen = $1 })
        case .tokenFile:
            Row(
                value: "file", help: "A file with the token that all clients must present, also those on this machine.",
                form: "an absolute path",
                standard: "none", reading: .path(\.tokenFile))
        case .tlsCertificate:
            Row(
                value: "file",
                help:
                    "Serve HTTPS with the certificate in this PEM file, followed by those of intermediate authorities.",
                form: "an absolute path", standard: "none", reading: .path(\.tlsCertificate))
        case .tlsKey:
            Row(
                value: "file", help: "A PEM file with the private key of the certificate, without a passphrase.",
                form: "an absolute path", standard: "none", reading: .path(\.tlsKey))
        case .allowedHosts:
            Row(
                option: "allow-host", value: "name",
                help: "Another name under which browsers may reach the server, such as a proxy's. Needs a token.",
                form: "a list of host names", standard: "none", reading: .list { $0.allowedHosts = $1 })
        case .hosts:
            Row(
                option: "host", value: "host",
                help:
                    "Also connect to this host at an interval: to its port, or to 443. With --passive, only look up its route.",
                form: "a list of strings such as \"example.com:22\"", standard: "none",
                reading: .list { $0.hosts = $1 })
        case .hostInterval:
            Row(
                value: "seconds", help: "Connect to each watched host again after this time.",
                form: "a number of seconds from 1 to 10000000", standard: "30",
                reading: .seconds(\.hostInterval, 1...1e7))
        case .hooks:
            Row(
                option: "hook", value: "path",
                help:
                    "Run this executable at each transition, or all in this directory, in the order of their names.",
                form: "a list of absolute paths", standard: "/etc/dialtone/hooks.d, if it exists",
                reading: .paths(\.hooks))
        case .hookTimeout:
            Row(
                value: "seconds", help: "End a hook after this time.",
                form: "a number of seconds from 0.1 to 86400", standard: "60",
                reading: .seconds(\.hookTimeout, 0.1...86_400))
        case .hookAfter:
            Row(
                value: "seconds", help: "Run no hooks for an outage that is shorter than this time.",
                form: "a number of seconds from 0 to 86400", standard: "0",
                reading: .seconds(\.hookAfter, 0...86_400))
        case .notifyURL:
            Row(
                value: "url",
                help: "Send each transition, and each change of a watched host, to this URL, as CloudEvents.",
                form: "an https URL, or an http URL of this machine", standard: "none",
                reading: .text { $0.notifyURL = $1 })
        case .notifyTokenFile:
            Row(
                value: "file", help: "A file with the token that is sent to that URL.", form: "an absolute path",
                standard: "none", reading: .path(\.notifyTokenFile))
        case .logLevel:
            Row(
                value: "trace|debug|info|notice|warning|error|critical", help: "The least severe messages to log.",
                form: "trace, debug, info, notice, warning, error or critical", standard: "info",
                reading: .text { $0.logLevel = $1 })
        case .logFormat:
            Row(
                value: "text|json", help: "Log as text (logfmt), or as one JSON object per line.",
                form: "text or json", standard: "text",
                reading: .choice(\.logFormat, ["text": .text, "json": .json]))
        }
    }

    var option: String { "--\(row.option ?? rawValue)" }

    var variable: String { "DIALTONE_\(rawValue.uppercased().replacing("-", with: "_"))" }
}

extension Setting.Reading {
    /// One of a fixed set of words.
    fileprivate static func choice<Value>(
        _ path: WritableKeyPath<Settings, Value>, _ choices: [String: Value]
    ) -> Self {
        .text { settings, text in
            guard let value = choices[text.value] else { throw Setting.WrongForm() }
            settings[keyPath: path] = value
        }
    }

    /// A path, which must be absolute unless an option gives it: it must not depend on the working directory of the
    /// command.
    fileprivate static func path(_ path: WritableKeyPath<Settings, Sourced<String>?>) -> Self {
        .text { settings, text in
            guard text.origin.isOption || text.value.hasPrefix("/") else { throw Setting.WrongForm() }
            settings[keyPath: path] = text
        }
    }

    /// A list of such paths.
    fileprivate static func paths(_ path: WritableKeyPath<Settings, Sourced<[String]>?>) -> Self {
        .list { settings, texts in
            guard texts.origin.isOption || texts.value.allSatisfy({ $0.hasPrefix("/") }) else {
                throw Setting.WrongForm()
            }
            settings[keyPath: path] = texts
        }
    }
}

extension Setting {
    /// A value that does not match the row's `form`.
    struct WrongForm: Error {}

    /// A value as its source defines it.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Double, typed: String)
        case flag(Bool)
        case list([String])

        /// Parses a text from the command line or the environment, which have no types.
        ///
        /// Semicolons separate the items of a list. A text that does not match the setting's type stays a text.
        init(_ text: String, for setting: Setting) {
            let truth = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
            self =
                switch setting.row.reading {
                case .text: .text(text)
                case .seconds: Double(text).map { .number($0, typed: text) } ?? .text(text)
                case .flag: truth[text.lowercased()].map { .flag($0) } ?? .text(text)
                case .list: .list(text.split(separator: ";").map(Self.trimmed).filter { !$0.isEmpty })
                }
        }

        private static func trimmed(_ text: Substring) -> String {
            let text = text.drop(while: \.isWhitespace)
            return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
        }

        /// The value as it was typed, for the start of an error message; empty for a list.
        fileprivate func quoted(from origin: SettingsError.Origin) -> String {
            switch self {
            case .text(let text): origin.isFile ? "\"\(text)\" " : "'\(text)' "
            case .number(_, let typed): "'\(typed)' "
            case .flag(let flag): "'\(flag)' "
            case .list: ""
            }
        }
    }

    /// Stores a value in the settings.
    ///
    /// - Throws: `SettingsError`, which states the source, the value and the required form.
    func read(_ value: Value, from origin: SettingsError.Origin, into settings: inout Settings) throws(SettingsError) {
        let row = row
        do {
            switch (row.reading, value) {
            case (.text(let set), .text(let text)): try set(&settings, Sourced(value: text, origin: origin))
            // A file may contain 2 for "2".
            case (.text(let set), .number(_, let typed)): try set(&settings, Sourced(value: typed, origin: origin))
            case (.seconds(let path, let range), .number(let number, _)) where range.contains(number):
                settings[keyPath: path] = .seconds(number)
            case (.flag(let path), .flag(let flag)): settings[keyPath: path] = flag
            case (.list(let set), .list(let texts)): try set(&settings, Sourced(value: texts, origin: origin))
            // A file may contain the only item of a list without its brackets.
            case (.list(let set), .text(let text)): try set(&settings, Sourced(value: [text], origin: origin))
            default: throw WrongForm()
            }
        } catch is WrongForm {
            throw SettingsError(origin, value.quoted(from: origin) + "must be \(row.form)")
        } catch {
            throw SettingsError(origin, (error as? InvalidConfiguration)?.problem ?? "\(error)")
        }
    }
}
