// SPDX-License-Identifier: Apache-2.0

/// An invalid setting: where it is defined, and the problem with it.
package struct SettingsError: Error, Hashable, CustomStringConvertible {
    /// The source that defines a setting.
    package enum Origin: Hashable {
        case option(String)
        case variable(String)
        /// A file, and the setting in it; nil for the file as a whole.
        case file(String, Setting?)

        package var isOption: Bool { if case .option = self { true } else { false } }
        var isFile: Bool { if case .file = self { true } else { false } }
    }

    let origin: Origin
    let problem: String

    package init(_ origin: Origin, _ problem: String) {
        self.origin = origin
        self.problem = problem
    }

    /// The source and the problem, without control characters.
    package var description: String { Printable.text("\(origin): \(problem)") }
}

extension SettingsError.Origin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .option(let name), .variable(let name), .file(let name, nil): name
        case .file(let path, let setting?): "\(path): \(setting.rawValue)"
        }
    }
}

/// A value and the source that defines it.
package struct Sourced<Value> {
    package let value: Value
    package let origin: SettingsError.Origin
}
