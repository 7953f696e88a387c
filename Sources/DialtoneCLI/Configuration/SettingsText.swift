//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration
import FoundationEssentials

/// The text of a file with settings: a JSON object; comments and trailing commas are allowed, as in JSON5.
enum SettingsText {
    /// What the text sets.
    ///
    /// - Throws: for what is no such text, for what is no setting, and for a value of another kind.
    static func values(of text: Data, in path: String) throws(SettingsError) -> [Setting: ConfigContent] {
        // Foundation's reader of JSON5 traps on what is not UTF-8.
        guard String(validating: text, as: UTF8.self) != nil else {
            throw SettingsError(.file(path, nil), "it is not UTF-8")
        }
        let object: [String: Value]
        do {
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = true
            object = try decoder.decode([String: Value].self, from: text)
        } catch {
            throw SettingsError(.file(path, nil), "it is not a JSON object")
        }
        var values: [Setting: ConfigContent] = [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let setting = Setting(rawValue: name) else {
                let all = Setting.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingsError(.file(path, nil), "there is no setting \"\(name)\"; there are \(all)")
            }
            guard let content = value.content(for: setting.kind) else {
                throw SettingsError(.file(path, setting), "must be \(setting.form)")
            }
            values[setting] = content
        }
        return values
    }

    /// A value of JSON, as far as settings need it.
    private enum Value: Decodable {
        case text(String), number(Double), truth(Bool), texts([String]), other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .truth(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([String].self) {
                self = .texts(value)
            } else {
                self = .other
            }
        }

        func content(for kind: Setting.Kind) -> ConfigContent? {
            switch (kind, self) {
            case (.text, .text(let text)): .string(text)
            // 2 is as good as "2".
            case (.text, .number(let number)): Int(exactly: number).map { .string("\($0)") }
            case (.number, .number(let number)): .double(number)
            case (.truth, .truth(let value)): .bool(value)
            case (.texts, .texts(let texts)): .stringArray(texts)
            default: nil
            }
        }
    }
}
