// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// The file with the server's token.
enum TokenFile {
    /// The reason why a file is refused.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The maximum size of the file, in bytes.
    static let longest = 4096

    /// Reads a token.
    ///
    /// Any user who can read or replace the file can log in, so it must be a regular file that belongs to root or to
    /// this user, that only its owner can write and that others cannot read. In systemd's directory of credentials,
    /// systemd ensures that. Never blocks, as opening a pipe would.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - credentials: systemd's directory of credentials, `$CREDENTIALS_DIRECTORY`.
    static func read(_ path: String, credentials: String?) throws(Fault) -> String {
        func fault(_ words: String) -> Fault { Fault(description: "cannot use \(path): \(words)") }
        let file: Descriptor
        do {
            file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            throw Fault(description: "cannot read \(path): \(error)")
        }
        let status: FileStatus
        do { status = try FileStatus(file) } catch { throw fault("\(error)") }
        guard status.isRegularFile else { throw fault("not a regular file") }
        if !isCredential(path, in: credentials) {
            guard status.owner == 0 || status.owner == geteuid() else { throw fault("it belongs to another user") }
            guard status.permissions & 0o027 == 0 else {
                throw fault("others can read or replace it; run chmod 600 \(path)")
            }
        }
        guard status.size <= longest else { throw fault("longer than \(longest) bytes") }
        var bytes = [UInt8](repeating: 0, count: longest)
        do {
            let count = try SystemCall.read(file.number, into: &bytes)
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        } catch {
            throw fault("\(error)")
        }
    }

    /// Whether a path is directly inside the directory of credentials.
    private static func isCredential(_ path: String, in credentials: String?) -> Bool {
        guard var folder = credentials, folder.hasPrefix("/") else { return false }
        if !folder.hasSuffix("/") { folder += "/" }
        guard path.hasPrefix(folder) else { return false }
        let name = path.dropFirst(folder.count)
        return !name.isEmpty && !name.contains("/") && name != ".."
    }
}
