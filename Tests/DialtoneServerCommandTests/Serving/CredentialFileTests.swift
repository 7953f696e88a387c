// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneServerCommand

struct CredentialFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-token-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    private func file(_ mode: Int, _ text: String = "correct-horse-battery\n") throws -> String {
        let path = folder.appending(path: "token").path
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func text(_ path: String, credentials: String?) throws -> String {
        String(decoding: try CredentialFile.read(path, credentials: credentials), as: UTF8.self)
    }

    @Test func `a certificate may be readable for all`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try !CredentialFile.read(try file(0o644), isSecret: false, credentials: nil).isEmpty)
    }

    @Test(arguments: [
        (0o600, true), (0o400, true), (0o640, true), (0o644, false), (0o604, false), (0o660, false), (0o666, false),
        (0o601, false),
    ]) func `a token file that other users can read or replace is refused`(mode: Int, isAllowed: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try file(mode)
        if isAllowed {
            #expect(try text(path, credentials: nil) == "correct-horse-battery\n")
        } else {
            let fault = #expect(throws: CredentialFile.Fault.self) { try CredentialFile.read(path, credentials: nil) }
            #expect(fault?.description.contains("run chmod ") == true)
        }
    }

    @Test func `systemd's credentials are accepted with any mode, and no other files`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try file(0o644)
        #expect(try text(path, credentials: folder.path) == "correct-horse-battery\n")
        for other in [folder.path + "/other", "/run/credentials/x.service", "", "relative", "/"] {
            #expect(throws: CredentialFile.Fault.self) { try CredentialFile.read(path, credentials: other) }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a pipe, a folder, a device and a long file are refused without a wait`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path, "/dev/null", "/nowhere/token"] {
            let fault = #expect(throws: CredentialFile.Fault.self) { try CredentialFile.read(path, credentials: nil) }
            #expect(fault?.description.contains(path) == true)
        }
        let long = try file(0o600, String(repeating: "a", count: 70_000))
        #expect(throws: CredentialFile.Fault.self) { try CredentialFile.read(long, credentials: nil) }
    }
}
