// SPDX-License-Identifier: Apache-2.0

import Glibc

enum Shell {
    /// Returns the standard output of a command.
    static func output(of command: String) throws -> String {
        guard let pipe = popen(command, "r") else { throw BenchError("\(command) does not start") }
        defer { pclose(pipe) }
        var buffer = [CChar](repeating: 0, count: 1024)
        var text = ""
        while fgets(&buffer, Int32(buffer.count), pipe) != nil {
            text += String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return text
    }
}
