// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
@testable import NetworkState
import TestSupport
import Testing

struct ResolvConfWatchTests {
    private func withFile(_ body: (URL, ResolvConfWatch.Files) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "resolv.conf")
        try body(
            file, ResolvConfWatch.Files(configuration: file.path, resolvedUplink: folder.appending(path: "none").path))
    }

    private func write(_ text: String, to file: URL) throws {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    @Test func `only a changed configuration is reported`() throws {
        try withFile { file, files in
            try write("nameserver 192.0.2.1", to: file)
            var watch = ResolvConfWatch(files)
            let servers1 = watch.current.servers.map(\.address)
            #expect(servers1 == ["192.0.2.1"])
            let news1 = watch.update()
            #expect(!news1)
            try write("nameserver 192.0.2.1 # the same", to: file)
            let news2 = watch.update()
            #expect(!news2)
            try write("nothing", to: file.deletingLastPathComponent().appending(path: "another"))
            let news3 = watch.update()
            #expect(!news3)
            try write("nameserver 192.0.2.2", to: file)
            let news4 = watch.update()
            #expect(news4)
            let servers2 = watch.current.servers.map(\.address)
            #expect(servers2 == ["192.0.2.2"])
        }
    }

    @Test func `a file without a watch that may exist is polled`() throws {
        try withFile { file, files in
            try write("nameserver 192.0.2.1", to: file)
            var complete = ResolvConfWatch(files)
            let isAnnounced = !complete.mustBePolled
            #expect(isAnnounced)
            let news8 = complete.update()
            #expect(!news8)
            // The name is too long to look up, which does not prove that the file is missing.
            let impossible = String(repeating: "x", count: 300)
            let uplink = file.deletingLastPathComponent().appending(path: "\(impossible)/resolv.conf")
            var incomplete = ResolvConfWatch(
                ResolvConfWatch.Files(configuration: file.path, resolvedUplink: uplink.path))
            let mustBePolled = incomplete.mustBePolled
            #expect(mustBePolled)
            try write("nameserver 192.0.2.2", to: file)
            let news9 = incomplete.update()
            #expect(news9)
            // Polling continues as long as the name cannot be looked up.
            let news10 = incomplete.update()
            #expect(!news10)
            let mustStillBePolled = incomplete.mustBePolled
            #expect(mustStillBePolled)
        }
    }

    @Test func `a failed watch is created later, and no change is missed`() throws {
        try withFile { file, files in
            try write("nameserver 192.0.2.1", to: file)
            var watch = ResolvConfWatch(files, watch: nil)
            let mustBePolled = watch.mustBePolled
            #expect(mustBePolled)
            try write("nameserver 192.0.2.2", to: file)
            // A change without a watch is found by polling; later ones are announced.
            let news5 = watch.update()
            #expect(news5)
            let isAnnounced = !watch.mustBePolled
            #expect(isAnnounced)
            let news6 = watch.update()
            #expect(!news6)
            try write("nameserver 192.0.2.3", to: file)
            let news7 = watch.update()
            #expect(news7)
            let servers3 = watch.current.servers.map(\.address)
            #expect(servers3 == ["192.0.2.3"])
        }
    }
}
#endif
