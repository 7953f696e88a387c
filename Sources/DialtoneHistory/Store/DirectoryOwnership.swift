//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whose the directory and the files of a history must be: nobody else may put another history in its place.
package enum DirectoryOwnership {
    /// What is wrong with a directory.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - owner: the number of the user that it belongs to.
    ///   - mode: its permissions.
    ///   - user: the number of the user that this process runs as.
    /// - Returns: nil when nothing is wrong, else what is, and what helps.
    package static func fault(ofDirectory path: String, owner: UInt32, mode: UInt32, user: UInt32) -> String? {
        if owner != user && owner != 0 {
            return "\(path) belongs to another user: chown it to this one, or choose another directory"
        }
        if mode & 0o022 != 0 {
            return "others may write to \(path): take that from them (chmod go-w), or choose another directory"
        }
        return nil
    }

    /// What is wrong with a file in the directory.
    ///
    /// - Returns: nil when nothing is wrong, else what is, and what helps.
    package static func fault(ofFile path: String, owner: UInt32, user: UInt32) -> String? {
        owner == user ? nil : "\(path) belongs to another user: chown it to this one, or choose another directory"
    }
}
