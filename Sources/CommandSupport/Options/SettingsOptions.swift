// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
package import Dialtone
import SystemSupport

/// The options for the settings file and for the cost of links: `--config` and `--cost`.
package struct SettingsOptions: ParsableArguments {
    @Option(help: .config, completion: .file()) package var config: String?
    @Option(.costs) var cost: [String]

    package init() {}

    /// Reads all settings, and applies those that affect the whole process.
    ///
    /// - Parameter options: the values that the command's other options define.
    package func settings(with options: SettingValues) throws(SettingsError) -> Settings {
        let settings = try reader(with: options).read()
        settings.applyCosts()
        return settings
    }

    /// The sources of all settings.
    ///
    /// - Parameter options: the values that the command's other options define.
    func reader(with options: SettingValues) -> SettingsReader {
        SettingsReader(options: options.merging(SettingValues(lists: [.costs: cost])) { $1 }, path: config)
    }

    /// The check of the Internet.
    ///
    /// - Throws: `SettingsError`.
    package func check(_ options: CheckOptions) throws -> InternetCheck {
        try settings(with: options.values).check()
    }
}

/// Reads the settings of a command, any number of times.
package struct SettingsReader: Sendable {
    private let options: SettingValues
    private let path: String?

    /// - Parameters:
    ///   - options: the values that the command line defines.
    ///   - path: the file that `--config` specifies.
    package init(options: SettingValues = [:], path: String? = nil) {
        self.options = options
        self.path = path
    }

    /// Reads the settings from the options, the environment and the file, as they are now.
    ///
    /// - Parameter warn: receives a message for each problem that is no error.
    package func read(warn: (String) -> Void = Console.printError) throws(SettingsError) -> Settings {
        let environment = ProcessInfo.processInfo.environment
        for (name, meant) in Spelling.misspelled(in: environment) {
            warn("dialtone: \(Printable.text(name)): unknown setting; did you mean '\(meant)'?")
        }
        let named = path ?? environment["DIALTONE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let file =
            if let named {
                try SettingsFile(named: named)
            } else {
                try SettingsFile.standard(environment, warn: warn)
            }
        return try Settings(
            [SettingsSource(options: options), SettingsSource(environment: environment)]
                + (file.map { [SettingsSource(file: $0)] } ?? []))
    }
}

extension ArgumentHelp {
    /// The help of `--config`.
    static var config: ArgumentHelp {
        ArgumentHelp(
            "Read settings from this JSON file instead of the default ones; /dev/null for none.", valueName: "path")
    }
}

extension SettingValues {
    /// Creates values from the options that were given; omitted options set nothing.
    package init(texts: [Setting: String?] = [:], lists: [Setting: [String]] = [:], flags: [Setting: Bool?] = [:]) {
        self.init()
        for (setting, text) in texts { self[setting] = text.map { Value($0, for: setting) } }
        for (setting, list) in lists where !list.isEmpty { self[setting] = .list(list) }
        for (setting, flag) in flags { self[setting] = flag.map { .flag($0) } }
    }
}

// A value may start with a hyphen, as a negative number does: the table of settings then produces the error message.
extension Option {
    /// Creates the option of a setting.
    package init(_ setting: Setting) where Value == String? {
        self.init(
            name: setting.optionName, parsing: .unconditional, help: setting.optionHelp,
            completion: setting.optionCompletion)
    }

    /// Creates the option of a setting that is a list.
    init(_ setting: Setting) where Value == [String] {
        self.init(
            wrappedValue: [], name: setting.optionName, parsing: .unconditionalSingleValue, help: setting.optionHelp,
            completion: setting.optionCompletion)
    }
}

extension Flag where Value == Bool? {
    /// Creates the flag of a setting, and its inversion, `--no-…`.
    package init(_ setting: Setting) {
        self.init(name: setting.optionName, inversion: .prefixedNo, help: setting.optionHelp)
    }
}

extension Setting {
    fileprivate var optionName: NameSpecification { .customLong(String(option.dropFirst(2))) }

    fileprivate var optionHelp: ArgumentHelp {
        let row = row
        var note = "default: \(row.standard)"
        if case .list = row.reading { note = "may be repeated; " + note }
        return ArgumentHelp("\(row.help) (\(note))", valueName: row.value)
    }

    /// The completion of the value in a shell, by its placeholder.
    fileprivate var optionCompletion: CompletionKind? {
        switch row.value {
        case "file": .file()
        case "directory": .directory
        case let words? where words.contains("|"): .list(words.split(separator: "|").map(String.init))
        default: nil
        }
    }
}
