// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
@testable import NetworkState
import Synchronization

/// A resolv.conf of the test's own.
final class ResolverFile: Sendable {
    let folder: URL
    private let marks = Mutex(UInt8(0))

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("nameserver 192.0.2.53\n")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: URL { folder.appending(path: "resolv.conf") }

    var files: ResolvConfWatch.Files {
        ResolvConfWatch.Files(configuration: url.path, resolvedUplink: folder.appending(path: "uplink.conf").path)
    }

    /// Replaces the file by a rename, as programs do so that readers never see half a file.
    func write(_ text: String) throws { try Data(text.utf8).write(to: url, options: .atomic) }

    /// Writes a name server that was not there before.
    ///
    /// - Returns: its address.
    func mark() throws -> NetworkAddress {
        let number = marks.withLock { marks in
            marks = marks &+ 1
            return marks
        }
        let address = NetworkAddress(203, 0, 113, number)
        try write("nameserver \(address)\n")
        return address
    }
}
#endif
