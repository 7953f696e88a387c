// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// A file with the server's token, certificate or private key.
enum CredentialFile {
    /// The reason why a file is refused.
    struct Fault: Error, CustomStringConvertible {
        let description: String
        /// Whether this user may not read it.
        var isForbidden = false
    }

    /// The maximum size of a file, in bytes.
    static let longest = 65_536

    /// Reads a file.
    ///
    /// Any user who can read or replace a secret can log in or impersonate the server, so no other user may be able to replace the
    /// file, and only its owner and its group may read a secret. In systemd's directory of credentials, systemd ensures the latter.
    /// Never blocks, as opening a pipe would.
    ///
    /// A service without rights may not read a file of root. If systemd passes it a credential with the name of the file, that
    /// copy is read instead.
    ///
    /// - Parameters:
    ///   - isSecret: whether it is secret, unlike a certificate.
    ///   - credentials: systemd's directory of credentials, `$CREDENTIALS_DIRECTORY`.
    static func read(_ path: String, isSecret: Bool = true, credentials: String?) throws(Fault) -> [UInt8] {
        do {
            return try readItself(path, isSecret: isSecret, credentials: credentials)
        } catch {
            guard error.isForbidden, let credentials else { throw error }
            let name = path.split(separator: "/").last ?? ""
            let copy = "\(credentials)/\(name)"
            guard (try? FileStatus(copy)) != nil else {
                throw Fault(
                    description: "\(error): systemd can pass it to the service, with LoadCredential=\(name):\(path)")
            }
            let bytes = try readItself(copy, isSecret: isSecret, credentials: credentials)
            // The unit passes a line feed instead of a file that does not exist.
            guard bytes.contains(where: { $0 > 0x20 }) else {
                throw Fault(
                    description: "\(error): systemd passes it to the service when it starts, so restart the service")
            }
            return bytes
        }
    }

    /// Whether a file has changed since systemd passed a copy of it, which stays the same until a restart.
    static func isOutdated(_ path: String, credentials: String?) -> Bool {
        guard let credentials, let name = path.split(separator: "/").last, unsafe access(path, R_OK) != 0,
            let file = try? FileStatus(path), let copy = try? FileStatus("\(credentials)/\(name)")
        else { return false }
        return file.changed > copy.changed
    }

    private static func readItself(_ path: String, isSecret: Bool, credentials: String?) throws(Fault) -> [UInt8] {
        func fault(_ words: String) -> Fault { Fault(description: "cannot use \(path): \(words)") }
        let file: TrustedPath
        do {
            file = try TrustedPath(path)
        } catch {
            throw Fault(
                description: "cannot use \(path): \(error)", isForbidden: error.reason == .system(SystemError(EACCES)))
        }
        guard file.status.isRegularFile else { throw fault("not a regular file") }
        if isSecret, !isCredential(path, in: credentials), file.status.permissions & 0o007 != 0 {
            throw fault("other users can read it: run chmod 600 \(path)")
        }
        guard file.status.size <= longest else { throw fault("longer than \(longest) bytes") }
        do {
            return try file.bytes(limit: longest)
        } catch {
            throw Fault(description: "cannot read \(path): \(error)", isForbidden: error.number == EACCES)
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
