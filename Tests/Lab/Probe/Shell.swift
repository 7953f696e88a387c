// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs shell scripts.
enum Shell {
    /// Runs a shell script, and returns its output.
    ///
    /// - Throws: when a command fails, with the whole output.
    @discardableResult
    static func run(_ text: String) throws -> String {
        guard let pipe = popen("exec 2>&1; set -e\n\(text)", "r") else { throw Failure("no shell: errno \(errno)") }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            if count == 0 { break }
            output += buffer.prefix(count)
        }
        let status = pclose(pipe)
        let printed = String(decoding: output, as: UTF8.self)
        guard status == 0 else { throw Failure("the shell failed (\(status)):\n\(text)\n\(printed)") }
        return printed
    }
}
