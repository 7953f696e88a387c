// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import SystemSupport

#if os(Linux) || os(Android)
import Netlink
import NetlinkTesting
#endif

/// A feature that a test needs and a machine may lack.
///
/// Each is probed once per process, in a separate network namespace, so that the machine's network does not change.
public struct Capability: Sendable, CustomStringConvertible {
    /// The name in reports.
    public let description: String
    private let probe: @Sendable () throws -> Void

    private static let known = Mutex<[String: Lack?]>([:])

    /// Creates a capability.
    ///
    /// - Parameters:
    ///   - description: its name; equal names are one capability.
    ///   - probe: does what the tests will do, and throws if that fails.
    public init(_ description: String, probe: @escaping @Sendable () throws -> Void) {
        self.description = description
        self.probe = probe
    }

    /// Why this machine lacks it; nil if it does not.
    public var lack: Lack? {
        Self.known.withLock { known in
            if let answer = known[description] { return answer }
            let answer = findLack()
            known[description] = .some(answer)
            return answer
        }
    }

    private func findLack() -> Lack? {
        do {
            try probe()
            return nil
        } catch {
            return Lack(reason: (error as? CocoaError)?.localizedDescription ?? "\(error)")
        }
    }

    /// The failure of a probe.
    public struct Lack: Sendable {
        /// The reason as text, such as the kernel's error.
        public let reason: String
    }
}

extension Capability {
    /// Files of any user: root, but not that of a user namespace.
    public static let fileOwners = Capability("files of other users") {
        let file = FileManager.default.temporaryDirectory.appending(path: "dialtone-owner-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.setAttributes([.ownerAccountID: 65532], ofItemAtPath: file.path)
    }
}

#if os(Linux) || os(Android)
extension Capability {
    /// Network namespaces with links in them: `CAP_SYS_ADMIN`, or a user namespace.
    public static let networkNamespaces = Capability("network namespaces") {
        try NetworkNamespace().run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
    }

    /// The C library's own allocator, which reports how much is in use; a sanitizer's does not.
    public static let allocatorFigures = Capability("the C library's allocator") {
        struct Missing: Error {}
        if CTest_isSanitized() { throw Missing() }
    }

    /// A packet filter: nft(8), and the kernel's nf_tables.
    public static let firewall = Capability("nftables") {
        struct Failed: Error { let status: Int32 }
        var status: Int32 = 0
        let identifier = try NetworkNamespace().run {
            try Spawn([CommandRun.Program.nft.path, "add table inet probe"]).start()
        }
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        if status != 0 { throw Failed(status: status) }
    }

    /// Tunnel links: `/dev/net/tun`.
    public static let tunnels = Capability("tunnels") {
        _ = try NetworkNamespace().run { try Tunnel(name: "probe", carrying: .packets) }
    }

    /// A kind of virtual link, by the kernel's name for it, such as `vlan`.
    public static func linkKind(_ kind: String) -> Capability {
        Capability("link kind \(kind)") {
            try NetworkNamespace().run {
                var kernel = try RouteNetlink()
                switch kind {
                case "veth": try kernel.createLink(.veth(name: "probe", peer: "peer"))
                case "bridge": try kernel.createLink(.bridge(name: "probe"))
                case "dummy": try kernel.createLink(.dummy(name: "probe"))
                case "macvlan", "vlan":
                    try kernel.createLink(.veth(name: "lower", peer: "peer"))
                    let lower = try kernel.link(named: "lower").index
                    try kernel.createLink(
                        kind == "vlan"
                            ? .vlan(name: "probe", on: lower, identifier: 1) : .macvlan(name: "probe", on: lower))
                case "tun": _ = try Tunnel(name: "probe", carrying: .packets)
                default: try kernel.createLink(.other(name: "probe", kind: kind))
                }
            }
        }
    }
}
#endif
