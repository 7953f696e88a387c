// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of messages that were recorded from the kernel, with the commands that caused them.
///
/// Bytes are pairs of hexadecimal digits, a `#` starts a comment, and an empty line separates messages.
public enum CaptureFile {
    /// Reads `Captures/NAME.hex`.
    ///
    /// - Parameter source: a source file beside the folder `Captures`.
    public static func messages(_ name: String, beside source: String = #filePath) -> [[UInt8]] {
        let file = URL(filePath: source).deletingLastPathComponent().appending(path: "Captures/\(name).hex")
        do {
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n").map(bytes)
        } catch {
            fatalError("\(file.path) cannot be read: \(error)")
        }
    }

    /// Reads the bytes of one message.
    public static func bytes(_ message: some StringProtocol) -> [UInt8] {
        message.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 }
        }
    }
}
