// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import CLinux
import LibC

/// Reads small system files.
package enum SystemFile {
    /// Returns the text of a regular file, at most `limit` bytes; nil if it cannot be read.
    ///
    /// A directory, pipe or device at this path is not read.
    package static func text(_ path: String, limit: Int) -> String? {
        guard let descriptor = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
            let status = try? FileStatus(descriptor), status.isRegularFile
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        var text: [UInt8] = []
        while text.count < limit {
            guard let count = try? SystemCall.read(descriptor.number, into: &bytes), count > 0 else { break }
            text += bytes[..<count]
        }
        return String(decoding: text.prefix(limit), as: UTF8.self)
    }

    /// Returns the names in a directory; none if it cannot be read.
    package static func names(in folder: String) -> [String] { (try? SystemCall.names(in: folder)) ?? [] }
}

/// Watches files for changes: inotify(7).
package final class FileWatch {
    private let descriptor: Descriptor
    private var watched: [String] = []
    /// Whether a file or directory could not be watched, because the number of watches per user is limited.
    ///
    /// It stays true until the owner sets it to false.
    package var isIncomplete = false

    /// Creates a watch; nil if no file descriptor or inotify instance is available.
    package init?() {
        let number = CLinux_inotify()
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The file descriptor for poll(2).
    package var number: Int32 { descriptor.number }

    /// Watches the files in a directory, and the directory itself.
    ///
    /// - Returns: whether it is watched; false for a directory that does not exist.
    @discardableResult
    package func watch(folder: String) -> Bool {
        if watched.contains(folder) { return true }
        let events =
            IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF
        guard unsafe inotify_add_watch(descriptor.number, folder, UInt32(events) | UInt32(IN_ONLYDIR)) >= 0 else {
            if errno != ENOENT, errno != ENOTDIR { isIncomplete = true }
            return false
        }
        watched.append(folder)
        return true
    }

    /// Watches a file itself, because the directory does not announce changes to a file that is mounted over another.
    ///
    /// Its events have an empty name.
    package func watch(file: String) {
        guard !watched.contains(file) else { return }
        let events = IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF
        guard unsafe inotify_add_watch(descriptor.number, file, UInt32(events)) >= 0 else {
            // When a file becomes readable, its directory announces that.
            if errno != ENOENT, errno != ENOTDIR, errno != EACCES { isIncomplete = true }
            return
        }
        watched.append(file)
    }

    /// Reads the pending events.
    ///
    /// - Returns: the names of the files concerned; nil if events were lost or a directory was removed, so that
    ///   everything must be reread.
    package func drain() -> [String]? {
        var names: [String] = []
        var isComplete = true
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A process that keeps writing there must not keep this thread from the kernel's socket; the rest is read next
        // time.
        for _ in 0..<64 {
            guard let count = try? SystemCall.read(descriptor.number, into: &buffer), count > 0 else {
                return isComplete ? names : nil
            }
            // struct inotify_event: watch, mask, cookie, length (4 bytes each), then the name.
            var offset = 0
            while count - offset >= 16 {
                let mask = word(buffer, offset + 4)
                let length = Int(word(buffer, offset + 12))
                if mask & UInt32(IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT | IN_MOVE_SELF) != 0 {
                    isComplete = false
                    watched = []
                }
                let end = min(offset + 16 + length, count)
                names.append(String(decoding: buffer[offset + 16..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
        return isComplete ? names : nil
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}

#endif
