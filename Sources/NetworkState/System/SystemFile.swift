// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLibrary
import Netlink

/// Reads small system files.
package enum SystemFile {
    /// Returns the text of a regular file, at most `limit` bytes; nil if it cannot be read.
    ///
    /// A directory, pipe or device at this path is not read.
    package static func text(_ path: String, limit: Int) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(number)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        var text: [UInt8] = []
        while text.count < limit {
            let count = read(descriptor.number, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            text += bytes[..<count]
        }
        return String(decoding: text.prefix(limit), as: UTF8.self)
    }

    /// Returns the names in a directory; none if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the target of a symbolic link; nil if the path is not one.
    static func linkTarget(_ path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        return count > 0 ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
#endif
