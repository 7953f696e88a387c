//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import CNetlinkShims
import Netlink

/// Watches files for changes: inotify(7).
final class FileWatch {
    private let descriptor: Descriptor
    private var watched: Set<String> = []
    /// Something that may be there could not be watched: a user has only so many watches.
    ///
    /// It stays true until it is set to false.
    var isIncomplete = false

    /// Makes a watch; nil when no descriptor or watch is left.
    init?() {
        let number = CNetlink_inotify()
        guard number >= 0 else { return nil }
        descriptor = Descriptor(number)
    }

    /// The number for poll(2).
    var number: Int32 { descriptor.number }

    /// Watches what happens to the files in a folder, and to the folder itself.
    ///
    /// - Returns: whether it is watched; a folder that does not exist is not.
    @discardableResult
    func watch(folder: String) -> Bool {
        if watched.contains(folder) { return true }
        let events =
            IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF
        guard inotify_add_watch(descriptor.number, folder, UInt32(events) | UInt32(IN_ONLYDIR)) >= 0 else {
            if errno != ENOENT, errno != ENOTDIR { isIncomplete = true }
            return false
        }
        watched.insert(folder)
        return true
    }

    /// Watches what happens to a file itself: one that is mounted over another is not announced by the folder.
    ///
    /// What happens to it has the empty name.
    func watch(file: String) {
        guard !watched.contains(file) else { return }
        let events = IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF
        guard inotify_add_watch(descriptor.number, file, UInt32(events)) >= 0 else {
            // When a file becomes readable, its folder announces that.
            if errno != ENOENT, errno != ENOTDIR, errno != EACCES { isIncomplete = true }
            return
        }
        watched.insert(file)
    }

    /// Reads what is waiting.
    ///
    /// - Returns: the names of the files concerned; nil when events were lost or a folder went away: look at everything.
    func drain() -> Set<String>? {
        var names: Set<String> = []
        var isComplete = true
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            guard count > 0 else { return isComplete ? names : nil }
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
                names.insert(String(decoding: buffer[offset + 16..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
            .littleEndian
    }
}
#endif
