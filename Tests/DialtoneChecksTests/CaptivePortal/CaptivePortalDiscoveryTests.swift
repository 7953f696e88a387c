// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneChecks

/// RFC 8910, from files as systemd-networkd writes them.
struct CaptivePortalDiscoveryTests {
    /// A folder like `/run/systemd/netif`, removed when the value is released.
    private final class Folder {
        let path: String

        init(_ files: [String: String]) throws {
            path = "\(FileManager.default.temporaryDirectory.path)/netif-\(UUID().uuidString)"
            for folder in ["links", "leases"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
            for (name, text) in files {
                try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
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
        let folder = try Folder(files)
        #expect(CaptivePortalDiscovery.current(interface: interface, folder: folder.path) == found)
    }

    @Test func `on a system without networkd nothing is known`() {
        #expect(CaptivePortalDiscovery.current(interface: nil, folder: "/no/such/folder") == .unknown)
    }

    @Test func `a folder where a file should be is not read`() throws {
        let folder = try Folder([:])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/links/2", withIntermediateDirectories: true)
        #expect(CaptivePortalDiscovery.current(interface: nil, folder: folder.path) == .unknown)
    }
}
