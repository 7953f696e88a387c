//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Something that was set cannot be: what, where, and why.
struct SettingsError: Error, Hashable, CustomStringConvertible {
    /// Where something was set.
    enum Origin: Hashable {
        case option(String)
        case variable(String)
        /// A file, and the setting in it; nil is the file as a whole.
        case file(String, Setting?)
    }

    let origin: Origin
    let problem: String

    init(_ origin: Origin, _ problem: String) {
        self.origin = origin
        self.problem = problem
    }

    /// Place and problem, fit for a terminal.
    var description: String { Printable.text("\(origin): \(problem)") }
}

extension SettingsError.Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .option(let name): name
        case .variable(let name): name
        case .file(let path, nil): path
        case .file(let path, let setting?): "\(path): \(setting.rawValue)"
        }
    }
}

/// A value and where it was set.
struct Sourced<Value> {
    let value: Value
    let origin: SettingsError.Origin
}
