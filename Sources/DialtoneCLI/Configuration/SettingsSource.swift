//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration

/// One place where settings can be: the options, the environment, or a file.
struct SettingsSource {
    private let provider: any ConfigProvider
    private let origin: (Setting) -> SettingsError.Origin

    /// The options of the command line.
    init(options: [Setting: ConfigContent]) {
        provider = Self.memory("options", options)
        origin = { .option($0.option) }
    }

    /// The environment; what is empty is not set, and the texts of a list are separated by semicolons.
    init(environment: [String: String]) {
        provider = EnvironmentVariablesProvider(
            environmentVariables: environment.filter { $0.key.hasPrefix("DIALTONE_") && !$0.value.isEmpty },
            arraySeparator: ";")
        origin = { .variable($0.variable) }
    }

    /// A file that has been read.
    init(file: SettingsFile) {
        provider = Self.memory(file.path, file.values)
        origin = { .file(file.path, $0) }
    }

    private static func memory(_ name: String, _ values: [Setting: ConfigContent]) -> InMemoryProvider {
        let pairs = values.map { ($0.key.key, ConfigValue($0.value, isSecret: false)) }
        return InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: pairs))
    }

    /// The value of a setting; nil when it is not set here.
    func value(of setting: Setting) throws(SettingsError) -> Sourced<ConfigContent>? {
        let origin = origin(setting)
        let type: ConfigType =
            switch setting.kind {
            case .text: .string
            case .number: .double
            case .truth: .bool
            case .texts: .stringArray
            }
        do {
            let found = try provider.value(forKey: setting.key, type: type).value
            return found.map { Sourced(value: $0.content, origin: origin) }
        } catch {
            throw SettingsError(origin, "must be \(setting.form)")
        }
    }
}
