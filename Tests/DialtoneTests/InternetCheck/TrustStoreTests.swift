//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FoundationEssentials
import Testing

@testable import Dialtone

/// Whether this system trusts anybody at all.
struct TrustStoreTests {
    /// A folder that goes away with the value.
    private final class Folder {
        let path: String

        init() throws {
            path = "\(FileManager.default.temporaryDirectory.path)/trust-\(UUID().uuidString)"
            for folder in ["empty", "full"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
            for (name, text) in ["empty.pem": "", "full.pem": "certificates", "full/0.0": "", "empty/.keep": ""] {
                try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test(
        arguments: [
            (nil, [], false), ("none.pem", ["none"], false), ("empty.pem", ["empty"], false),
            ("empty.pem", ["", "none", "empty"], false), ("full.pem/x", ["full.pem"], false),
            ("full.pem", ["none"], true), ("none.pem", ["full"], true), ("none.pem", ["none", "empty", "full"], true),
        ] as [(String?, [String], Bool)])
    func `a store without any certificate is told from one that may hold some`(
        file: String?, folders: [String], mayHold: Bool
    ) throws {
        let folder = try Folder()
        let paths = folders.map { $0.isEmpty ? "" : "\(folder.path)/\($0)" }
        let found = TLSTrust.mayHoldCertificates(
            file: file.map { "\(folder.path)/\($0)" }, folders: paths.joined(separator: ":"))
        #expect(found == mayHold)
    }

    @Test func `a system that trusts nobody says nothing about the network`() {
        let error = ProbeError.tls(.unavailable("no certificates to trust"))
        #expect(error.code == .tlsUnavailable)
        #expect(error.isInability)
    }
}
