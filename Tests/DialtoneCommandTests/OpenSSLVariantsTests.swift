// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import TestSupport
import Testing

#if os(Linux)
/// The report of `dialtone check` with other OpenSSL libraries, without one, and without CA certificates.
@Suite(.serialized, .requires(.networkNamespaces), .requires(.ownResolverFile), .requires(.systemOpenSSL))
struct OpenSSLVariantsTests {
    /// A library in the folder that the dynamic loader searches first.
    enum Library: Sendable {
        /// A file that is not a library, as if OpenSSL were not installed.
        case absent
        /// The system's libssl.so.3.
        case real
        /// The system's libssl.so.3 without one of its functions.
        case lacking(String)
    }

    static let names = ["libssl.so.3", "libssl.so.4", "libssl.so.1.1", "libssl.so"]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var libraries: [String: Library]
        var hasCertificates = true
        var options: [String] = []
        var verdict = "verified"
        let tls: String
        var reason: String?
        var status: Int32 = 0
    }

    static let absent = "OpenSSL (libssl.so.3, .4 or .1.1) is not installed"
    static let lacking = "libssl.so.3 lacks SSL_set_hostflags"

    static let rows: [Row] = [
        Row(testDescription: "libssl.so.3", libraries: ["libssl.so.3": .real], tls: "verified"),
        Row(testDescription: "libssl.so.4", libraries: ["libssl.so.4": .real], tls: "verified"),
        Row(testDescription: "libssl.so.1.1", libraries: ["libssl.so.1.1": .real], tls: "verified"),
        Row(testDescription: "libssl.so", libraries: ["libssl.so": .real], tls: "verified"),
        Row(
            testDescription: "a function for tests is missing",
            libraries: ["libssl.so.3": .lacking("SSL_key_update")], tls: "verified"),
        Row(
            testDescription: "a function of the client is missing",
            libraries: ["libssl.so.3": .lacking("SSL_set_hostflags")], tls: "notChecked", reason: lacking),
        Row(
            testDescription: "a function of the client is missing, but there is libssl.so.4",
            libraries: ["libssl.so.3": .lacking("SSL_set_hostflags"), "libssl.so.4": .real], tls: "verified"),
        Row(testDescription: "no OpenSSL", libraries: [:], tls: "notChecked", reason: absent),
        Row(
            testDescription: "no OpenSSL, TLS required", libraries: [:], options: ["--require-tls"], verdict: "partial",
            tls: "notChecked", reason: absent, status: 3),
        Row(
            testDescription: "no CA certificates", libraries: ["libssl.so.3": .real], hasCertificates: false,
            tls: "notChecked", reason: "no CA certificates are installed"),
        Row(
            testDescription: "no CA certificates, TLS required", libraries: ["libssl.so.3": .real],
            hasCertificates: false, options: ["--require-tls"], verdict: "partial", tls: "notChecked",
            reason: "no CA certificates are installed", status: 3),
    ]

    /// Writes a row's libraries and a trust store without certificates into a folder.
    private func write(_ row: Row, to folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("certificates"), withIntermediateDirectories: true)
        try Data("No certificates here.\n".utf8).write(to: folder.appendingPathComponent("certificates/README"))
        for name in Self.names {
            let file = folder.appendingPathComponent(name)
            switch row.libraries[name] ?? .absent {
            case .absent: try Data().write(to: file)
            case .real: try FileManager.default.copyItem(at: SystemOpenSSL.file(), to: file)
            case .lacking(let function):
                // Changes the name in the table of symbols, so that the loader does not find it.
                var bytes = try Data(contentsOf: SystemOpenSSL.file())
                let place = try #require(bytes.range(of: Data("\0\(function)\0".utf8)))
                bytes[place.lowerBound + 1] = UInt8(ascii: "_")
                try bytes.write(to: file)
            }
        }
    }

    @Test(arguments: rows) func `the report says whether HTTPS took part, and why not`(row: Row) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(row, to: folder)
        let lab = try await ServedLab(.online)
        try await lab.network.join()
        var environment = ["LD_LIBRARY_PATH": folder.path]
        if !row.hasCertificates {
            environment["SSL_CERT_FILE"] = folder.appendingPathComponent("none.pem").path
            environment["SSL_CERT_DIR"] = folder.appendingPathComponent("certificates").path
        }
        let arguments = ["check"] + row.options + ServedLab.endpoints
        let json = try await lab.run(arguments + ["--json"], environment: environment)
        #expect(try await json.exitStatus() == row.status)
        let text = try #require(json.output.values.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let internet = try #require(object["internet"] as? [String: Any])
        #expect(internet["verdict"] as? String == row.verdict)
        #expect(internet["tls"] as? String == row.tls)
        #expect(internet["tlsReason"] as? String == row.reason)

        let plain = try await lab.run(arguments, environment: environment)
        #expect(try await plain.exitStatus() == row.status)
        let notes = plain.output.values.filter { $0.hasPrefix("  note") }
        #expect(
            notes
                == (row.reason.map { ["  note     HTTPS was not checked, so the answers may be forged: \($0)"] } ?? []))
    }

    @Test func `doctor and status say that HTTPS was not checked`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(Row(testDescription: "", libraries: [:], tls: ""), to: folder)
        let lab = try await ServedLab(.online)
        try await lab.network.join()
        for command in ["doctor", "status"] {
            let run = try await lab.run(
                [command] + ServedLab.endpoints, environment: ["LD_LIBRARY_PATH": folder.path])
            _ = try await run.exitStatus()
            let text = run.output.values.joined(separator: "\n")
            #expect(text.contains("HTTPS was not checked, so the answers may be forged: \(Self.absent)"), "\(text)")
        }
    }
}

/// The system's libssl.so.3 as a file.
enum SystemOpenSSL {
    struct NotFound: Error {}

    static func file() throws -> URL {
        #if arch(x86_64)
        let machine = "x86_64"
        #else
        let machine = "aarch64"
        #endif
        let folders = [
            "/usr/lib/\(machine)-linux-gnu", "/lib/\(machine)-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib",
        ]
        let found = folders.map { URL(fileURLWithPath: "\($0)/libssl.so.3") }
            .first { FileManager.default.isReadableFile(atPath: $0.path) }
        guard let found else { throw NotFound() }
        return found
    }
}

extension Capability {
    /// OpenSSL 3 of the system, to be copied.
    static let systemOpenSSL = Capability("libssl.so.3 of the system") { _ = try SystemOpenSSL.file() }
}
#endif
