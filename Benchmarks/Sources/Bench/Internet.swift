// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Glibc
import Netlink
import NetlinkTesting

/// An Internet behind a lab's router: the hosts of the default endpoints, and the public addresses of checks.
///
/// It answers HTTP, HTTPS, DNS queries and echo requests, without a delay. The router is the name server. Programs may send echo
/// requests, as on distributions with systemd.
final class Internet {
    private let servers: [any Sendable]
    private let folder: String

    /// - Parameter folder: a directory for the files that programs read: the name server, and the authority to trust.
    init(in lab: Lab, folder: String) throws {
        self.folder = folder
        let hosts = Set([InternetCheck.Endpoint].defaults.map { String($0.url.split(separator: "/")[1]) })
        let addresses = [NetworkAddress].publicResolvers.filter { $0.version == .ipv4 }
        let far = lab.far
        let router = "\(lab.gateway)"
        var kernel = try RouteNetlink(in: far)
        try kernel.setLink(1, up: true)
        let uplink = try kernel.link(named: "far0").index
        for address in ["\(router)/24", "\(Self.host)/32"] + addresses.map({ "\($0)/32" }) {
            if let prefix = NetworkPrefix(address) { try kernel.addAddress(prefix, to: uplink) }
        }
        let names = ScriptedResolver(otherwise: .addresses(Self.host))
        let internet = try far.run {
            try ScriptedInternet(
                Self.behavior, address: "0.0.0.0", httpPort: 80, httpsPort: 443, names: Array(hosts))
        }
        let nameServers = try far.run {
            try ([router] + addresses.map { "\($0)" }).map { try ScriptedNameServer(playing: names, address: $0) }
        }
        servers = [internet] + nameServers
        lab.enter()
        try Self.write("0 0", to: "/proc/sys/net/ipv4/ping_group_range")
        mkdir(folder, 0o755)
        try Self.write("nameserver \(router)\n", to: "\(folder)/resolv.conf")
        try Self.write(internet.trustAnchor, to: "\(folder)/authority.pem")
    }

    /// The program with this Internet's name server and authority.
    func contender(_ contender: Contender) -> Contender {
        let script = """
            mount --bind "$0/resolv.conf" /etc/resolv.conf && exec env SSL_CERT_FILE="$0/authority.pem" "$@"
            """
        var contender = contender
        contender.prefix = ["unshare", "--mount", "sh", "-c", script, folder]
        return contender
    }

    private static let host = "198.51.100.7"

    private static let behavior = ScriptedInternet.Behavior { request in
        switch request.path {
        case "/hotspot-detect.html", "/library/test/success.html": .answer(200, body: "<TITLE>Success</TITLE>")
        case "/static/hotspot.txt": .answer(200, body: "OK")
        default: .answer(204)
        }
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw BenchError("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        fputs(text, file)
    }
}

/// The IP packets of the calling thread's namespace; ARP is not counted.
struct Packets {
    let sent: Int
    let received: Int

    static var now: Packets {
        // Two lines: the names of the counters, and their values.
        let lines = Usage.text("/proc/thread-self/net/snmp").split(separator: "\n").filter { $0.hasPrefix("Ip:") }
            .map { $0.split(separator: " ") }
        let counters = Dictionary(zip(lines.first ?? [], lines.last ?? [])) { first, _ in first }
        func value(_ name: Substring) -> Int { counters[name].flatMap { Int($0) } ?? 0 }
        return Packets(sent: value("OutRequests"), received: value("InReceives"))
    }
}
