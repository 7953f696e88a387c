// SPDX-License-Identifier: Apache-2.0

import LibC

/// The attributes of a file: stat(2).
///
/// Two values of a path are equal as long as the file is neither replaced nor changed in between.
package struct FileStatus: Hashable, Sendable {
    /// The user ID of the owner.
    package let owner: UInt32
    /// The permissions, with the bits for setuid, setgid and sticky.
    package let permissions: UInt32
    package let size: Int64
    private let type: UInt32
    private let identifier: UInt64
    /// When the content or the attributes last changed, in nanoseconds since 1970.
    package let changed: Int64
    /// When the content last changed, in nanoseconds since 1970.
    package let modified: Int64

    /// Reads the attributes of an open file.
    package init(_ descriptor: Descriptor) throws(SystemError) {
        var status = stat()
        try SystemCall.check { unsafe fstat(descriptor.number, &status) }
        self.init(status)
    }

    /// Reads the attributes of the file at a path.
    ///
    /// - Parameter followsLinks: whether to read the target of a symbolic link instead of the link.
    package init(_ path: String, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        try SystemCall.check { unsafe followsLinks ? stat(path, &status) : lstat(path, &status) }
        self.init(status)
    }

    private init(_ status: stat) {
        owner = status.st_uid
        permissions = UInt32(status.st_mode) & 0o7777
        size = Int64(status.st_size)
        type = UInt32(status.st_mode & S_IFMT)
        identifier = UInt64(status.st_ino)
        #if canImport(Darwin)
        changed = Self.nanoseconds(status.st_ctimespec)
        modified = Self.nanoseconds(status.st_mtimespec)
        #else
        changed = Self.nanoseconds(status.st_ctim)
        modified = Self.nanoseconds(status.st_mtim)
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether both are of one file, which may have changed in between; an inode's number is used again only after it was closed.
    package func isSameFile(as other: FileStatus) -> Bool { (identifier, type) == (other.identifier, other.type) }

    package var isRegularFile: Bool { type == UInt32(S_IFREG) }
    package var isDirectory: Bool { type == UInt32(S_IFDIR) }
    var isSymbolicLink: Bool { type == UInt32(S_IFLNK) }
    var isSticky: Bool { permissions & 0o1000 != 0 }
}
