// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// A file with settings: a JSON5 object.
///
/// It decides which hosts this machine contacts and which programs run, so no user but root and this one may be able to change
/// it.
package struct SettingsFile {
    let path: String
    let values: SettingValues

    /// Reads the file that `--config` or `DIALTONE_CONFIG` names.
    init(named path: String) throws(SettingsError) {
        guard path != "/dev/null" else {
            try self.init(Array("{}".utf8), at: path)
            return
        }
        guard let text = try Self.text(at: path, isDefault: false) else {
            throw SettingsError(.file(path, nil), "no such file")
        }
        try self.init(text, at: path)
    }

    /// Reads the first file that exists in the default locations.
    ///
    /// - Parameters:
    ///   - environment: supplies the user's folders.
    ///   - warn: receives a message for each file that is ignored.
    /// - Returns: nil if no file exists.
    static func standard(
        _ environment: [String: String], warn: (String) -> Void
    ) throws(SettingsError) -> SettingsFile? {
        for path in standardPaths(environment) {
            if let text = try text(at: path, isDefault: true, warn: warn) { return try SettingsFile(text, at: path) }
        }
        return nil
    }

    /// Parses the text of a file.
    ///
    /// - Throws: an error for invalid syntax, an unknown setting, or a value of the wrong type.
    init(_ text: [UInt8], at path: String) throws(SettingsError) {
        guard let text = String(validUTF8: text) else { throw SettingsError(.file(path, nil), "not valid UTF-8") }
        var values: SettingValues = [:]
        var reader = JSON5Reader(text)
        do {
            try reader.read { name, value in
                guard let setting = Setting(rawValue: name) else {
                    throw SettingsError(.file(path, nil), "unknown setting '\(name)'; \(Self.hint(name))")
                }
                guard let value else { throw SettingsError(.file(path, setting), "must be \(setting.row.form)") }
                values[setting] = value
            }
        } catch {
            throw (error as? SettingsError) ?? SettingsError(.file(path, nil), "\(error)")
        }
        self.path = path
        self.values = values
    }

    private static func hint(_ name: String) -> String {
        let names = Setting.allCases.map(\.rawValue)
        return Spelling.nearest(to: name, in: names).map { "did you mean '\($0)'?" }
            ?? "the settings are \(names.joined(separator: ", "))"
    }

    /// The default paths: the user's file first (XDG Base Directory Specification), then the system's.
    static func standardPaths(_ environment: [String: String]) -> [String] {
        let absolute = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let own = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
        return (own.map { ["\($0)/dialtone/config.json"] } ?? []) + ["/etc/dialtone/config.json"]
    }

    private static let maximumBytes = 1 << 20

    /// Reads a file; nil if there is none, and if it is a default file that this user must not or cannot use.
    private static func text(
        at path: String, isDefault: Bool, warn: (String) -> Void = { _ in }
    ) throws(SettingsError) -> [UInt8]? {
        let place: TrustedPath
        do {
            place = try TrustedPath(path)
        } catch {
            switch error.reason {
            case .system(let reason) where [ENOENT, ENOTDIR].contains(reason.number): return nil
            // The home folder of another user, as su(1) leaves it in the environment, or one that this user cannot enter.
            case .belongsToOther where isDefault, .system(SystemError(EACCES)) where isDefault:
                warn("dialtone: " + Printable.text("\(path): ignored: \(error)"))
                return nil
            default: throw SettingsError(.file(path, nil), "\(error)")
            }
        }
        guard place.status.isRegularFile else { throw SettingsError(.file(path, nil), "not a regular file") }
        let bytes: [UInt8]
        do {
            bytes = try place.bytes(limit: maximumBytes + 1)
        } catch {
            throw SettingsError(.file(path, nil), "cannot be read: \(error)")
        }
        guard bytes.count <= maximumBytes else { throw SettingsError(.file(path, nil), "longer than 1 MiB") }
        return bytes
    }
}
