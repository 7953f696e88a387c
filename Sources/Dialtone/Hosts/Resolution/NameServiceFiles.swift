// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The files that the C library reads before it queries a name server: resolv.conf(5) and hosts(5), as the calling
/// thread sees them.
enum NameServiceFiles {
    /// The name servers that the C library queries, in its order, and whether they are configured.
    ///
    /// The C library reads at most three (MAXNS), and queries 127.0.0.1 if none is configured. On Apple platforms
    /// another process resolves names, so the list is empty.
    static func nameServers() -> (addresses: [NetworkAddress], areConfigured: Bool) {
        #if canImport(Darwin)
        return ([], true)
        #else
        let servers = ResolverConfiguration(parsing: text("/etc/resolv.conf") ?? "").servers.prefix(3)
        if servers.isEmpty { return ([NetworkAddress(127, 0, 0, 1)], false) }
        return (servers.compactMap { $0.scoped(InterfaceNames.index)?.address }, true)
        #endif
    }

    /// The name servers that this machine's names come from: those of the C library, or, if that queries a stub of
    /// systemd-resolved, the servers that the stub queries.
    ///
    /// A stub answers from its cache while its servers are silent. On Apple platforms the list is empty.
    static func upstreamServers() -> [NetworkAddress] {
        #if canImport(Darwin)
        return []
        #else
        func configuration(_ path: String) -> ResolverConfiguration { ResolverConfiguration(parsing: text(path) ?? "") }
        let own = configuration("/etc/resolv.conf")
        let servers = own.isResolvedStub ? configuration("/run/systemd/resolve/resolv.conf").servers : own.servers
        return servers.prefix(3).compactMap { $0.scoped(InterfaceNames.index)?.address }
        #endif
    }

    /// The text of a regular file, at most 16 MiB: lists of blocked hosts in hosts(5) have a few.
    static func text(_ path: String) -> String? {
        #if canImport(Darwin)
        return (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
        #else
        return SystemFile.text(path, limit: 16 << 20)
        #endif
    }
}
