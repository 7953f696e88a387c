// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// The addresses that a version of the hosts file has for names: hosts(5).
final class HostsFile: Sendable {
    private let addresses: [String: [NetworkAddress]]

    /// Parses the text of a hosts file, as the C library does: lines end at a line feed, words at ASCII white space.
    init(parsing text: String) {
        var addresses: [String: [NetworkAddress]] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 == 0x20 || (0x09...0x0d).contains($0) }
            guard let address = words.first.flatMap({ NetworkAddress(String(Substring($0))) }) else { continue }
            for name in Set(words.dropFirst().map { Substring($0).lowercased() }) {
                addresses[name, default: []].append(address)
            }
        }
        self.addresses = addresses
    }

    /// The addresses that the file has for a name.
    func addresses(of name: String) -> [NetworkAddress] { addresses[name.lowercased()] ?? [] }
}

/// Reads the hosts file again only when it has changed.
///
/// Lists of blocked hosts have hundreds of thousands of lines, so the file is kept in memory only as long as it is used.
final class HostsFileReader: Sendable {
    /// The reader of the C library's hosts file.
    static let system = HostsFileReader("/etc/hosts")

    private struct Version {
        var status: FileStatus?
        weak var file: HostsFile?
    }

    private let path: String
    private let latest = Mutex(Version())
    /// The queue on which callers that must not wait for a disk have the file read.
    private let queue = DispatchQueue(label: "dialtone.hosts")

    init(_ path: String) { self.path = path }

    /// Passes the current file on, one call at a time and in order.
    func withCurrent(_ body: @escaping @Sendable (HostsFile) -> Void) { queue.async { body(self.read()) } }

    /// Returns the current file, without blocking the calling thread.
    func current() async -> HostsFile {
        await withCheckedContinuation { continuation in withCurrent { continuation.resume(returning: $0) } }
    }

    /// Returns the current file; the calling thread waits while it is read.
    func read() -> HostsFile {
        // Before the text: a change in between is noticed next time.
        let status = try? FileStatus(path)
        if let file = latest.withLock({ $0.status == status ? $0.file : nil }) { return file }
        let file = HostsFile(parsing: NameServiceFiles.text(path) ?? "")
        latest.withLock { $0 = Version(status: status, file: file) }
        return file
    }
}
