// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import Dialtone

/// Whether a trust store holds any certificate.
@Suite(.real)
struct TrustStoreTests {
    /// A folder that is removed when the value is released.
    private final class Folder {
        let path: String

        init() throws {
            path = "\(FileManager.default.temporaryDirectory.path)/trust-\(UUID().uuidString)"
            for folder in ["empty", "full"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
            let pem = "# Authority\n-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"
            let files = [
                "empty.pem": "", "text.pem": "certificates\n", "full.pem": pem, "full/0a1b2c3d.0": "",
                "empty/.keep": "",
                "empty/README": pem, "empty/0a1b2c3d": pem, "empty/0a1b2c3d.r": pem, "empty/0a1b2c3g.0": pem,
            ]
            for (name, text) in files {
                try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test(
        arguments: [
            (nil, [], false), ("none.pem", ["none"], false), ("empty.pem", ["empty"], false),
            ("empty.pem", ["", "none", "empty"], false), ("full.pem/x", ["full.pem"], false),
            ("text.pem", ["empty"], false), ("full", ["none"], false), ("full.pem", ["none"], true),
            ("none.pem", ["full"], true), ("none.pem", ["none", "empty", "full"], true),
        ] as [(String?, [String], Bool)])
    func `a store without certificates is recognized`(
        file: String?, folders: [String], mayHold: Bool
    ) throws {
        let folder = try Folder()
        let paths = folders.map { $0.isEmpty ? "" : "\(folder.path)/\($0)" }
        let place = file.map { "\(folder.path)/\($0)" }
        let found = COpenSSL_mayHoldCertificates(place, paths.joined(separator: ":"))
        #expect(found == mayHold)
    }

    @Test func `/dev/null holds no certificate`() {
        #expect(!COpenSSL_mayHoldCertificates("/dev/null", "/nowhere"))
    }

    @Test func `a system without CA certificates says nothing about the network`() {
        let error = ProbeError.tls(.unavailable("no CA certificates are installed"))
        #expect(error.code == .tlsUnavailable)
        #expect(error.isInability)
    }
}
