// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// A file with the server's token, certificate or private key.
enum CredentialFile {
    /// The reason why a file is refused.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The maximum size of a file, in bytes.
    static let longest = 65_536

    /// Reads a file.
    ///
    /// Any user who can read or replace a secret can log in or impersonate the server, so its file must be a regular one that
    /// belongs to root or to this user, that only its owner can write and that others cannot read. In systemd's directory of
    /// credentials, systemd ensures that. Never blocks, as opening a pipe would.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isSecret: whether it is a secret; a certificate is none.
    ///   - credentials: systemd's directory of credentials, `$CREDENTIALS_DIRECTORY`.
    static func read(_ path: String, isSecret: Bool = true, credentials: String?) throws(Fault) -> [UInt8] {
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
        if isSecret, !isCredential(path, in: credentials) {
            guard status.owner == 0 || status.owner == geteuid() else { throw fault("it belongs to another user") }
            guard status.permissions & 0o027 == 0 else {
                throw fault("others can read or replace it; run chmod 600 \(path)")
            }
        }
        guard status.size <= longest else { throw fault("longer than \(longest) bytes") }
        var bytes = [UInt8](repeating: 0, count: longest)
        do {
            let count = try SystemCall.read(file.number, into: &bytes)
            return Array(bytes.prefix(count))
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
