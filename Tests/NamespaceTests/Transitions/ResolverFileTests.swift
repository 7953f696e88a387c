// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// The name servers follow the file, however programs change it.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct ResolverFileTests {
    private let files = FileManager.default

    /// Expects that these servers are reported, and that the path supports DNS if there are any.
    private func expect(_ servers: [NetworkAddress], in lab: Lab) async throws {
        try await lab.live.snapshot { $0.resolver.servers.map(\.address) == servers }
        try await lab.live.path { $0.supportsDNS == !servers.isEmpty }
    }

    /// Expects that there are still no servers when a later change has been reported.
    private func expectNoneLater(in lab: Lab) async throws {
        try await lab.cable("later0")
        #expect(lab.live.snapshot?.resolver.servers == [])
        #expect(!lab.live.path.supportsDNS)
    }

    private func uplink() async throws -> Lab {
        let lab = try await Lab()
        try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.live.path { $0.status == .satisfied && $0.supportsDNS }
        return lab
    }

    @Test func `replaced by a rename, and written in place`() async throws {
        let lab = try await uplink()
        try lab.resolver.write("nameserver 192.0.2.53\nnameserver 2001:db8::53\n")
        try await expect(["192.0.2.53", "2001:db8::53"], in: lab)
        try "nameserver 192.0.2.54\n".write(to: lab.resolver.url, atomically: false, encoding: .utf8)
        try await expect(["192.0.2.54"], in: lab)
        try lab.resolver.write("# empty\n")
        try await expect([], in: lab)
    }

    @Test func `removed and created again`() async throws {
        let lab = try await uplink()
        try files.removeItem(at: lab.resolver.url)
        try await expect([], in: lab)
        try lab.resolver.write("nameserver 192.0.2.55\n")
        try await expect(["192.0.2.55"], in: lab)
    }

    @Test func `a symbolic link whose target changes, and that gets another target`() async throws {
        let lab = try await uplink()
        let (one, two) = (lab.resolver.folder.appending(path: "one"), lab.resolver.folder.appending(path: "two"))
        for folder in [one, two] { try files.createDirectory(at: folder, withIntermediateDirectories: false) }
        try "nameserver 192.0.2.1".write(to: one.appending(path: "real"), atomically: true, encoding: .utf8)
        try "nameserver 192.0.2.2".write(to: two.appending(path: "real"), atomically: true, encoding: .utf8)
        try files.removeItem(at: lab.resolver.url)
        try link(lab, to: "one/real")
        try await expect(["192.0.2.1"], in: lab)
        try "nameserver 192.0.2.3".write(to: one.appending(path: "real"), atomically: true, encoding: .utf8)
        try await expect(["192.0.2.3"], in: lab)
        try files.removeItem(at: lab.resolver.url)
        try link(lab, to: two.appending(path: "real").path)
        try await expect(["192.0.2.2"], in: lab)
    }

    @Test func `a target whose folder is created later`() async throws {
        let lab = try await uplink()
        try files.removeItem(at: lab.resolver.url)
        try link(lab, to: "run/late/real")
        try await expect([], in: lab)
        let folder = lab.resolver.folder.appending(path: "run/late")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        try "nameserver 192.0.2.6".write(to: folder.appending(path: "real"), atomically: true, encoding: .utf8)
        try await expect(["192.0.2.6"], in: lab)
        // The folder is removed, and created again.
        try files.removeItem(at: folder)
        try await expect([], in: lab)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        try "nameserver 192.0.2.7".write(to: folder.appending(path: "real"), atomically: true, encoding: .utf8)
        try await expect(["192.0.2.7"], in: lab)
    }

    @Test func `a target whose folder is replaced by another`() async throws {
        let lab = try await uplink()
        let (folder, new) = (lab.resolver.folder.appending(path: "run"), lab.resolver.folder.appending(path: "new"))
        for folder in [folder, new] { try files.createDirectory(at: folder, withIntermediateDirectories: true) }
        try "nameserver 192.0.2.8".write(to: folder.appending(path: "real"), atomically: true, encoding: .utf8)
        try "nameserver 192.0.2.9".write(to: new.appending(path: "real"), atomically: true, encoding: .utf8)
        try files.removeItem(at: lab.resolver.url)
        try link(lab, to: "run/real")
        try await expect(["192.0.2.8"], in: lab)
        try files.moveItem(at: folder, to: lab.resolver.folder.appending(path: "old"))
        try files.moveItem(at: new, to: folder)
        try await expect(["192.0.2.9"], in: lab)
        try "nameserver 192.0.2.10".write(to: folder.appending(path: "real"), atomically: false, encoding: .utf8)
        try await expect(["192.0.2.10"], in: lab)
    }

    @Test func `symbolic links in a cycle`() async throws {
        let lab = try await uplink()
        try files.removeItem(at: lab.resolver.url)
        try files.createSymbolicLink(
            atPath: lab.resolver.folder.appending(path: "round").path, withDestinationPath: "resolv.conf")
        try link(lab, to: "round")
        try await expect([], in: lab)
        try files.removeItem(at: lab.resolver.url)
        try lab.resolver.write("nameserver 192.0.2.1\n")
        try await expect(["192.0.2.1"], in: lab)
    }

    @Test func `a folder in place of the file`() async throws {
        let lab = try await uplink()
        try files.removeItem(at: lab.resolver.url)
        try await expect([], in: lab)
        try files.createDirectory(at: lab.resolver.url, withIntermediateDirectories: false)
        try await expectNoneLater(in: lab)
    }

    @Test func `an unreadable file`() async throws {
        let lab = try await uplink()
        try files.removeItem(at: lab.resolver.url)
        try await expect([], in: lab)
        // The file opens, but reading its beginning fails for every user: EIO.
        try link(lab, to: "/proc/self/mem")
        try await expectNoneLater(in: lab)
    }

    @Test func `of a 10 MB file only the beginning is read`() async throws {
        let lab = try await uplink()
        let filler = String(
            repeating: "# nothing to see here, and a lot of it indeed, as you can tell\n", count: 160_000)
        try lab.resolver.write("nameserver 192.0.2.1\n" + filler + "nameserver 192.0.2.2\n")
        try await expect(["192.0.2.1"], in: lab)
    }

    @Test func `behind systemd-resolved's stub, the upstream servers are used`() async throws {
        let lab = try await uplink()
        let uplink = lab.resolver.folder.appending(path: "uplink.conf")
        try "nameserver 192.0.2.77\n".write(to: uplink, atomically: true, encoding: .utf8)
        try lab.resolver.write("nameserver 127.0.0.53\noptions edns0 trust-ad\n")
        try await expect(["192.0.2.77"], in: lab)
        try "nameserver 192.0.2.78\n".write(to: uplink, atomically: true, encoding: .utf8)
        try await expect(["192.0.2.78"], in: lab)
        try files.removeItem(at: uplink)
        try await expect(["127.0.0.53"], in: lab)
    }

    private func link(_ lab: Lab, to target: String) throws {
        try files.createSymbolicLink(atPath: lab.resolver.url.path, withDestinationPath: target)
    }
}
#endif
