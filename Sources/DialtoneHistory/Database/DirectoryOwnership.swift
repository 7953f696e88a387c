// SPDX-License-Identifier: Apache-2.0

/// The ownership rules for the directory and the files of a history: no other user may be able to replace it.
package enum DirectoryOwnership {
    /// Checks the ownership and the permissions of a directory.
    ///
    /// - Parameters:
    ///   - path: the path of the directory.
    ///   - owner: the user ID of its owner.
    ///   - mode: its permissions.
    ///   - user: the user ID of this process.
    /// - Returns: nil if the directory is safe, otherwise the problem and its remedy.
    package static func fault(ofDirectory path: String, owner: UInt32, mode: UInt32, user: UInt32) -> String? {
        if owner != user && owner != 0 {
            return "\(path) belongs to another user: run chown, or choose another directory"
        }
        if mode & 0o022 != 0 {
            return "\(path) is writable by other users: run chmod go-w on it, or choose another directory"
        }
        return nil
    }

    /// Checks the ownership of a file in the directory.
    ///
    /// - Returns: nil if the file is safe, otherwise the problem and its remedy.
    package static func fault(ofFile path: String, owner: UInt32, user: UInt32) -> String? {
        owner == user ? nil : "\(path) belongs to another user: run chown, or choose another directory"
    }
}
