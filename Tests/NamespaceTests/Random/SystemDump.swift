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

        private enum CodingKeys: String, CodingKey {
            case ifindex, ifname, flags
            case addresses = "addr_info"
        }

        var isUp: Bool { flags.contains("UP") }
        /// `ip` shows NO-CARRIER for every link that is up and not running.
        var isRunning: Bool { isUp && !flags.contains("NO-CARRIER") }
    }

    struct Address: Decodable, Sendable {
        var family: String
        var scope: String
        var tentative: Bool?
        var dadfailed: Bool?
    }

    struct Route: Decodable, Sendable {
        var type: String
        var dst: String
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
        var suppressedPrefixLength: Int?

        private enum CodingKeys: String, CodingKey {
            case priority, table, action
            case suppressedPrefixLength = "suppress_prefixlen"
        }
    }

    var links: [Link]
    /// The routes by family: 4 or 6.
    var routes: [Int: [Route]]
    var rules: [Int: [Rule]]
    var ignoresDeadLinks: [Int: Bool]

    /// Reads the calling thread's namespace.
    static func read() throws -> SystemDump {
        var dump = SystemDump(links: try ip("addr show"), routes: [:], rules: [:], ignoresDeadLinks: [:])
        for family in [4, 6] {
            dump.routes[family] = try ip("-\(family) route show table all")
            dump.rules[family] = try ip("-\(family) rule show")
            let folder = family == 4 ? "ipv4" : "ipv6"
            let setting = try String(
                contentsOfFile: "/proc/sys/net/\(folder)/conf/all/ignore_routes_with_linkdown", encoding: .utf8)
            dump.ignoresDeadLinks[family] = setting.hasPrefix("1")
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
