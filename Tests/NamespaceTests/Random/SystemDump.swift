// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import TestSupport

/// The network of a namespace according to `ip` of iproute2, which is independent of our code.
struct SystemDump: Sendable {
    struct Link: Decodable, Sendable {
        var ifindex: Int
        var ifname: String
        var flags: [String]
        var addresses: [Address]?
        var group: String?

        private enum CodingKeys: String, CodingKey {
            case ifindex, ifname, flags, group
            case addresses = "addr_info"
        }

        var isUp: Bool { flags.contains("UP") }
        /// Whether it has, or will have, an address that is valid beyond it.
        var mayReachBeyond: Bool { addresses?.contains { $0.scope == "global" } ?? false }
        /// `ip` shows NO-CARRIER for every link that is up and not running.
        var isRunning: Bool { isUp && !flags.contains("NO-CARRIER") }
    }

    struct Address: Decodable, Sendable {
        var family: String
        var local: String?
        var scope: String
        var tentative: Bool?
        var dadfailed: Bool?
    }

    struct Route: Decodable, Sendable {
        var type: String
        var dst: String
        var from: String?
        var gateway: String?
        var dev: String?
        var table: String
        var metric: Int?
        var flags: [String]
        var nexthops: [Hop]?
    }

    struct Hop: Decodable, Sendable {
        var gateway: String?
        var dev: String?
        var flags: [String]
    }

    struct Rule: Decodable, Sendable {
        var priority: Int
        var table: String?
        var action: String?
        /// The address that packets must have; `all` for any.
        var src: String
        var suppressedPrefixLength: Int?
        var suppressedGroup: String?

        private enum CodingKeys: String, CodingKey {
            case priority, table, action, src
            case suppressedGroup = "suppress_ifgroup"
            case suppressedPrefixLength = "suppress_prefixlen"
        }
    }

    var links: [Link]
    /// The routes by family: 4 or 6.
    var routes: [Int: [Route]]
    var rules: [Int: [Rule]]
    /// The links whose routes are ignored without carrier, by family.
    var ignoredDeadLinks: [Int: Set<String>]
    /// The source addresses that connect(2) chooses.
    var sources: [Choice: String]

    /// A destination, and the link that the socket is bound to.
    struct Choice: Hashable, Sendable {
        var destination: String
        var link: String?
    }

    /// Reads the calling thread's namespace.
    static func read() throws -> SystemDump {
        var dump = SystemDump(
            links: try ip("addr show"), routes: [:], rules: [:], ignoredDeadLinks: [:], sources: [:])
        for destination in Oracle.representatives.values.joined().joined() {
            for link in [nil] + dump.links.filter({ $0.isUp }).map(\.ifname) {
                let source = Connection.source(to: destination, over: link)
                dump.sources[Choice(destination: destination, link: link)] = source
            }
        }
        for family in [4, 6] {
            dump.routes[family] = try ip("-\(family) route show table all")
            dump.rules[family] = try ip("-\(family) rule show")
            let folder = family == 4 ? "ipv4" : "ipv6"
            func isOn(_ scope: String) -> Bool {
                let file = "/proc/sys/net/\(folder)/conf/\(scope)/ignore_routes_with_linkdown"
                return (try? String(contentsOfFile: file, encoding: .utf8))?.hasPrefix("1") ?? false
            }
            // IPv6 copies the setting for all links to each of them; IPv4 uses either.
            let all = family == 4 && isOn("all")
            dump.ignoredDeadLinks[family] = Set(dump.links.map(\.ifname).filter { all || isOn($0) })
        }
        return dump
    }

    private struct Failure: Error { let command: String }

    private static func ip<Value: Decodable>(_ arguments: String) throws -> [Value] {
        let command = "ip -j -d \(arguments)"
        guard let stream = popen(command, "r") else { throw Failure(command: command) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
        guard pclose(stream) == 0 else { throw Failure(command: command) }
        // Empty output means an empty list.
        return bytes.isEmpty ? [] : try JSONDecoder().decode([Value].self, from: Data(bytes))
    }
}

extension Capability {
    /// The `ip` of iproute2, with its JSON.
    static let iproute = Capability("iproute2") { _ = try SystemDump.read() }
}
#endif
