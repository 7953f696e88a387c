// SPDX-License-Identifier: Apache-2.0

import LibC

package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The system's description of the error, by strerror(3), whose result is per-thread or constant in the C libraries
    /// in use.
    package var description: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// Whether this process, or this machine, has no descriptor or memory left.
    package var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}

package enum SystemCall {
    /// Throws the error in `errno` if the call returns -1, and repeats the call if a signal interrupted it (`EINTR`).
    ///
    /// Not generic: other modules would use the unspecialized code.
    @discardableResult
    package static func check(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let value = call()
            if value != -1 { return value }
            let number = errno
            if number != EINTR { throw SystemError(number) }
        }
    }

    @discardableResult
    static func check(_ call: () -> Int32) throws(SystemError) -> Int32 {
        Int32(truncatingIfNeeded: try check { Int(call()) })
    }

    /// Makes a call as `check` does; nil if it would have to wait (`EAGAIN`).
    static func attempt(_ call: () -> Int) throws(SystemError) -> Int? {
        do {
            return try check(call)
        } catch let error where error.number == EAGAIN {
            return nil
        }
    }

    /// Reads the available bytes of a descriptor: read(2).
    ///
    /// - Returns: their number; 0 at the end.
    package static func read(_ number: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
        try check { unsafe LibC.read(number, &buffer, buffer.count) }
    }

    /// Returns the names in a directory, sorted: opendir(3).
    package static func names(in folder: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw SystemError(errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the target of a symbolic link: readlink(2).
    package static func readLink(_ path: String) throws(SystemError) -> String {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try check { unsafe readlink(path, &text, text.count) }
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes as many bytes as the descriptor accepts: write(2).
    ///
    /// - Returns: their number.
    package static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) throws(SystemError) -> Int {
        try check { unsafe bytes.withUnsafeBytes { unsafe LibC.write(number, $0.baseAddress, $0.count) } }
    }
}
