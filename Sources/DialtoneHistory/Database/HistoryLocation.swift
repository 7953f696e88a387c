// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The location of a history.
public enum HistoryLocation {
    /// The name of the database in its directory.
    public static let fileName = "history.sqlite"

    /// The default directory: `$STATE_DIRECTORY`, which systemd sets; else `$XDG_STATE_HOME/dialtone`; else
    /// `~/.local/state/dialtone`.
    ///
    /// Relative paths are ignored, as the XDG Base Directory Specification requires. If `$STATE_DIRECTORY` lists
    /// several directories (systemd.exec(5)), the first is used.
    ///
    /// - Parameter environment: the process's environment.
    /// - Returns: nil if the home directory is not known either.
    public static func standard(environment: [String: String]) -> URL? {
        func absolute(_ name: String) -> String? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return path
        }
        if let state = absolute("STATE_DIRECTORY")?.split(separator: ":").first {
            return URL(filePath: String(state), directoryHint: .isDirectory)
        }
        if let state = absolute("XDG_STATE_HOME") {
            return URL(filePath: state, directoryHint: .isDirectory).appending(path: "dialtone")
        }
        return absolute("HOME").map {
            URL(filePath: $0, directoryHint: .isDirectory).appending(path: ".local/state/dialtone")
        }
    }
}
