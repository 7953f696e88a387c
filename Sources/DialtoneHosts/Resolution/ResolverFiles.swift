// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport

#if !canImport(Darwin)
import NetworkState
#endif

/// What the C library reads before it asks a name server: resolv.conf(5) and hosts(5), in the calling thread's view of the files.
enum ResolverFiles {
    /// The name servers that the C library asks, in its order.
    ///
    /// The C library reads at most three (MAXNS), and asks 127.0.0.1 where none is configured. On Apple platforms another
    /// process resolves names, and there are none.
    static func nameServers() -> [NetworkAddress] {
        #if canImport(Darwin)
        return []
        #else
        let servers = ResolverConfiguration(parsing: text("/etc/resolv.conf") ?? "").servers.prefix(3)
        if servers.isEmpty { return NetworkAddress("127.0.0.1").map { [$0] } ?? [] }
        return servers.compactMap { server in
            NetworkAddress(server.scope.map { "\(server.address)%\($0)" } ?? "\(server.address)")
        }
        #endif
    }

    /// How many dots a name needs to be tried as it is before the search domains: `options ndots:N`, by default 1.
    static func searchDots(in configuration: String) -> Int {
        var dots = 1
        for line in configuration.split(whereSeparator: \.isNewline) where line.hasPrefix("options") {
            for option in line.split(whereSeparator: \.isWhitespace) where option.hasPrefix("ndots:") {
                if let number = Int(option.dropFirst("ndots:".count)), number >= 0 { dots = number }
            }
        }
        return dots
    }

    /// The addresses that the hosts file has for a name.
    static func hostsFileAddresses(of name: String) -> [NetworkAddress] {
        text("/etc/hosts").map { addresses(of: name, in: $0) } ?? []
    }

    /// The addresses that the text of a hosts file has for a name.
    static func addresses(of name: String, in hosts: String) -> [NetworkAddress] {
        let name = name.lowercased()
        return hosts.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard words.dropFirst().contains(where: { $0.lowercased() == name }) else { return nil }
            return words.first.flatMap { NetworkAddress(String($0)) }
        }
    }

    /// The name as the C library is to look it up, so that no search domain is appended to a name with a dot.
    ///
    /// A wildcard in a search domain would lead an unknown name to another host. The C library finds names with a dot at
    /// their end neither in the hosts file nor by multicast DNS, so those stay as they are.
    ///
    /// - Parameter obeysNDots: whether a name with fewer dots than the configuration's `ndots` stays as it is: an
    ///   administrator who raises `ndots`, as Kubernetes does, wants such names to be searched for.
    static func absoluteName(_ name: String, obeysNDots: Bool) -> String {
        let lower = name.lowercased()
        guard name.contains("."), !name.hasSuffix("."), NetworkAddress(name) == nil, !lower.hasSuffix(".local"),
            !HostName.isLocalhost(lower)
        else { return name }
        if obeysNDots {
            let dots = name.utf8.count { $0 == UInt8(ascii: ".") }
            if dots < searchDots(in: text("/etc/resolv.conf") ?? "") { return name }
        }
        return hostsFileAddresses(of: name).isEmpty ? name + "." : name
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
