// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import Testing

@testable import Dialtone

/// RFC 8910, from files as systemd-networkd and dhclient write them, and from NetworkManager's leases.
struct CaptivePortalDiscoveryTests {
    /// A folder like `/`, removed when the value is released.
    private final class Root {
        let path: String
        /// The links of the machine, and NetworkManager's leases.
        var addresses: [LinkAddress] = []
        var managed: [[String: String]] = []

        init(_ files: [String: String]) throws {
            path = "\(FileManager.default.temporaryDirectory.path)/root-\(UUID().uuidString)"
            for (name, text) in files {
                let file = URL(filePath: "\(path)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The announcement at noon on 20 November 2026.
        func announcement(on link: Int?) -> CaptivePortalDiscovery {
            AnnouncementSources(
                root: path, time: 1_795_176_000, addresses: { self.addresses }, managedLeases: { self.managed }
            ).announcement(on: link)
        }
    }

    private static let link = """
        # This is private data. Do not parse.
        ADMIN_STATE=configured
        OPER_STATE=routable
        DNS=192.0.2.53
        CAPTIVE_PORTAL=https://api.portal.test/v1?x=1
        DOMAINS=
        """

    @Test(
        arguments: [
            ([:], nil, CaptivePortalDiscovery.unknown),
            (["links/2": link], nil, .api("https://api.portal.test/v1?x=1")),
            (["links/2": link], 2, .api("https://api.portal.test/v1?x=1")),
            (["links/2": link], 3, .unknown),
            (["links/2": "OPER_STATE=off\n"], nil, .unknown),
            (["links/2": "CAPTIVE_PORTAL=\n"], nil, .unknown),
            (["links/2": "CAPTIVE_PORTAL=http://a.test/\n"], nil, .unknown),
            (["links/2": "XCAPTIVE_PORTAL=https://a.test/\n"], nil, .unknown),
            (["links/2": "CAPTIVE_PORTAL=\"https://a.test/\"\n"], nil, .api("https://a.test/")),
            (["links/2": "CAPTIVE_PORTAL=urn:ietf:params:capport:unrestricted\n"], nil, .none),
            (
                ["links/2": "CAPTIVE_PORTAL=urn:ietf:params:capport:unrestricted\n", "links/3": link], nil,
                .api("https://api.portal.test/v1?x=1")
            ),
            (
                ["links/10": "CAPTIVE_PORTAL=https://ten.test/\n", "links/9": "CAPTIVE_PORTAL=https://nine.test/\n"],
                nil, .api("https://nine.test/")
            ),
            (
                [
                    "links/2": "OPER_STATE=routable\n",
                    "leases/2": "ADDRESS=192.0.2.7\nCAPTIVE_PORTAL=https://lease.test/\n",
                ], nil, .api("https://lease.test/")
            ),
            (["links/2": "CAPTIVE_PORTAL=https://a.test/\u{1b}[2J\n"], nil, .unknown),
            (["links/not-a-number": link], nil, .unknown),
        ] as [([String: String], Int?, CaptivePortalDiscovery)])
    func `networkd's files are read`(files: [String: String], interface: Int?, found: CaptivePortalDiscovery) throws {
        let root = try Root(.init(uniqueKeysWithValues: files.map { ("run/systemd/netif/\($0.key)", $0.value) }))
        #expect(root.announcement(on: interface) == found)
    }

    @Test func `on a system without any of these clients nothing is known`() throws {
        #expect(try Root([:]).announcement(on: nil) == .unknown)
    }

    @Test(arguments: ["run/systemd/netif/links/2", "var/lib/dhcp/dhclient.leases"])
    func `a folder where a file should be is not read`(file: String) throws {
        let root = try Root(["\(file)/x": Self.link])
        #expect(root.announcement(on: nil) == .unknown)
    }

    // MARK: - dhclient

    private static let eth0 = LinkAddress(interface: "eth0", index: 2, address: .init(192, 0, 2, 7))
    private static let wlan0 = LinkAddress(interface: "wlan0", index: 3, address: .init(198, 51, 100, 7))
    private static let evening = "5 2026/11/20 18:00:00"
    private static let morning = "5 2026/11/20 06:00:00"

    /// A lease as dhclient writes it.
    private static func lease(
        _ interface: String = "eth0", _ address: String = "192.0.2.7",
        _ option: String? = #"default-url "https://a.test/""#,
        expire: String = evening
    ) -> String {
        """
        lease {
          interface "\(interface)";
          fixed-address \(address);
          option subnet-mask 255.255.255.0;
          option dhcp-lease-time 43200;
          option domain-name "a;}b";
        \(option.map { "  option \($0);\n" } ?? "")  renew 5 2026/11/20 11:00:00;
          rebind 5 2026/11/20 16:00:00;
          expire \(expire);
        }

        """
    }

    struct LeaseRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        let found: CaptivePortalDiscovery

        init(_ description: String, _ file: String, _ found: CaptivePortalDiscovery) {
            self.init(description, ["dhcp/dhclient.leases": file], found)
        }

        init(_ description: String, _ files: [String: String], _ found: CaptivePortalDiscovery) {
            (testDescription, self.found) = (description, found)
            self.files = Dictionary(
                uniqueKeysWithValues: files.map { ($0.key.hasPrefix("run/") ? $0.key : "var/lib/\($0.key)", $0.value) })
        }
    }

    static let api = CaptivePortalDiscovery.api("https://a.test/")

    static let leases: [LeaseRow] = [
        LeaseRow("a lease with the option", lease(), api),
        LeaseRow("a file of ifupdown", ["dhcp/dhclient.eth0.leases": lease()], api),
        LeaseRow("a file of RHEL", ["dhclient/dhclient-eth0.leases": lease()], api),
        LeaseRow("a file of NetworkManager", ["NetworkManager/dhclient-5c1d-eth0.lease": lease()], api),
        LeaseRow("a file of another client", ["NetworkManager/internal-5c1d-eth0.lease": lease()], .unknown),
        LeaseRow("a copy", ["dhcp/dhclient.leases~": lease()], .unknown),
        LeaseRow("without the option", lease("eth0", "192.0.2.7", nil), .unknown),
        LeaseRow(
            "no portal", lease("eth0", "192.0.2.7", #"default-url "urn:ietf:params:capport:unrestricted""#), .none),
        LeaseRow("a plain URL", lease("eth0", "192.0.2.7", #"default-url "http://a.test/""#), .unknown),
        LeaseRow("the option's number", lease("eth0", "192.0.2.7", #"unknown-114 "https://a.test/""#), api),
        LeaseRow(
            "the option's bytes",
            lease("eth0", "192.0.2.7", "unknown-114 68:74:74:70:73:3a:2f:2f:61:2e:74:65:73:74:2f"), api),
        LeaseRow(
            "the bytes of a C string",
            lease("eth0", "192.0.2.7", "unknown-114 68:74:74:70:73:3a:2f:2f:61:2e:74:65:73:74:2f:0"), api),
        LeaseRow("a C string", lease("eth0", "192.0.2.7", #"default-url "https://a.test/\000""#), api),
        LeaseRow("escapes", lease("eth0", "192.0.2.7", #"default-url "https:\057/a.test\/""#), api),
        LeaseRow("control characters", lease("eth0", "192.0.2.7", #"default-url "https://a.test/\033[2J""#), .unknown),
        LeaseRow("an open quotation", lease("eth0", "192.0.2.7", #"default-url "https://a.test/"#), .unknown),
        LeaseRow("an old number", lease("eth0", "192.0.2.7", #"unknown-160 "https://a.test/""#), .unknown),
        LeaseRow("an expired lease", lease(expire: morning), .unknown),
        LeaseRow("a lease without an end", lease(expire: "never"), api),
        LeaseRow(
            "seconds since 1970",
            lease().replacing("expire \(evening);", with: "expire epoch 1795200000; # Fri Nov 20 19:40:00 2026"), api),
        LeaseRow("seconds since 1970, expired", lease(expire: "epoch 1795100000"), .unknown),
        LeaseRow("short numbers", lease(expire: "6 2027/1/2 3:04:05"), api),
        LeaseRow("a malformed end", lease(expire: "5 2026/13/20 18:00:00"), .unknown),
        LeaseRow("no end", lease().replacing("expire", with: "expires"), .unknown),
        LeaseRow("another link", lease("wlan0"), .unknown),
        LeaseRow("an interface that cannot be read", lease().replacing(#""eth0""#, with: #"""#), api),
        LeaseRow("an address that the link does not have", lease("eth0", "192.0.2.8"), .unknown),
        LeaseRow("a renewed lease", lease(expire: morning) + lease(), api),
        LeaseRow("a renewed lease without the option", lease() + lease("eth0", "192.0.2.7", nil), .unknown),
        LeaseRow(
            "a renewed lease that ends earlier",
            lease(expire: "6 2026/11/21 18:00:00") + lease("eth0", "192.0.2.7", nil), .unknown),
        LeaseRow("a released lease", lease(expire: "6 2026/11/21 18:00:00") + lease(expire: morning), .unknown),
        LeaseRow(
            "two files: the later lease",
            [
                "dhcp/dhclient.leases": lease(expire: "6 2026/11/21 18:00:00"),
                "dhcp/dhclient.eth0.leases": lease("eth0", "192.0.2.7", #"default-url "https://b.test/""#),
            ], api),
        LeaseRow("a lease for DHCPv6", lease().replacing("lease {", with: "lease6 {"), .unknown),
        LeaseRow("cut short", String(lease().dropLast(4)), .unknown),
        LeaseRow("nested", "lease {\n" + lease(), api),
        LeaseRow("not text", String(decoding: [0xff, 0, 0xfe], as: UTF8.self) + "\n" + lease(), api),
        LeaseRow("too long a file", lease() + String(repeating: "#\n", count: 200_000), .unknown),
        LeaseRow(
            "networkd comes first",
            [
                "dhcp/dhclient.leases": lease(),
                "run/systemd/netif/links/2": "CAPTIVE_PORTAL=https://networkd.test/\n",
            ], .api("https://networkd.test/")),
    ]

    @Test(arguments: leases) func `dhclient's leases are read`(row: LeaseRow) throws {
        let root = try Root(row.files)
        root.addresses = [Self.eth0]
        #expect(root.announcement(on: nil) == row.found)
        #expect(root.announcement(on: 2) == row.found)
        #expect(root.announcement(on: 3) == .unknown)
        root.addresses = []
        if !row.files.keys.contains(where: { $0.contains("netif") }) {
            #expect(root.announcement(on: nil) == .unknown)
        }
    }

    @Test func `each link has its own leases, and the lowest-numbered one counts first`() throws {
        let root = try Root([
            "var/lib/dhcp/dhclient.leases": Self.lease("wlan0", "198.51.100.7", #"default-url "https://w.test/""#)
                + Self.lease()
        ])
        root.addresses = [Self.wlan0, Self.eth0]
        #expect(root.announcement(on: nil) == Self.api)
        #expect(root.announcement(on: 3) == .api("https://w.test/"))
        #expect(root.announcement(on: 2) == Self.api)
    }

    @Test func `a file that cannot be read is as good as none`() throws {
        let root = try Root(["var/lib/dhcp/dhclient.leases": Self.lease()])
        root.addresses = [Self.eth0]
        try FileManager.default.setAttributes(
            [.posixPermissions: 0], ofItemAtPath: "\(root.path)/var/lib/dhcp/dhclient.leases")
        // Root reads it all the same.
        #expect(root.announcement(on: nil) == (geteuid() == 0 ? Self.api : .unknown))
    }

    // MARK: - NetworkManager

    private static let managed = [
        "ip_address": "192.0.2.7", "expiry": "1795200000", "default_url": "https://a.test/",
        "requested_default_url": "1",
    ]

    @Test(
        arguments: [
            ([:], api), (["expiry": "1795100000"], .unknown), (["expiry": "soon"], .unknown),
            (["expiry": nil], .unknown),
            (["ip_address": "192.0.2.8"], .unknown), (["ip_address": "everywhere"], .unknown),
            (["default_url": nil], .unknown), (["default_url": "http://a.test/"], .unknown),
            (["default_url": "urn:ietf:params:capport:unrestricted"], .none),
        ] as [([String: String?], CaptivePortalDiscovery)])
    func `NetworkManager's leases are read`(change: [String: String?], found: CaptivePortalDiscovery) throws {
        let root = try Root([:])
        root.addresses = [Self.wlan0, Self.eth0]
        var options = Self.managed
        for (key, value) in change { options[key] = value }
        root.managed = [["ip_address": "203.0.113.1"], options]
        #expect(root.announcement(on: nil) == found)
        #expect(root.announcement(on: 2) == found)
        #expect(root.announcement(on: 3) == .unknown)
    }
}
#endif
