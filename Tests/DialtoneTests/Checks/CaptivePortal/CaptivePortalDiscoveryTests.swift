// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import Testing

@testable import Dialtone

/// RFC 8910, from files as systemd-networkd writes them.
struct CaptivePortalDiscoveryTests {
    /// A folder like `/run/systemd/netif`, removed when the value is released.
    private final class Folder {
        let path: String

        init(_ files: [String: String]) throws {
            path = "\(FileManager.default.temporaryDirectory.path)/netif-\(UUID().uuidString)"
            for (name, text) in files {
                let file = URL(filePath: "\(path)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func announcement(on link: Int?) -> CaptivePortalDiscovery {
            Networkd(folder: path).announcement(on: link)
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
        #expect(try Folder(files).announcement(on: interface) == found)
    }

    @Test func `a folder where a file should be is not read`() throws {
        #expect(try Folder(["links/2/x": Self.link]).announcement(on: nil) == .unknown)
    }

    @Test func `a file that cannot be read is as good as none`() throws {
        let folder = try Folder(["links/2": Self.link])
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder.path)/links/2")
        // Root reads it all the same.
        let api = CaptivePortalDiscovery.api("https://api.portal.test/v1?x=1")
        #expect(folder.announcement(on: nil) == (geteuid() == 0 ? api : .unknown))
    }
}
#endif
