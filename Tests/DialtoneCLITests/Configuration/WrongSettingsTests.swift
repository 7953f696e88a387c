//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Netlink
import TestSupport
import Testing

/// Settings that cannot be: told by their place, and status 64.
@Suite(.requires(.networkNamespaces))
struct WrongSettingsTests {
    @Test(arguments: [
        ("DIALTONE_QUORUM", "many", "quorum"), ("DIALTONE_QUORUM", "0", "quorum"),
        ("DIALTONE_QUORUM", "101%", "quorum"),
        ("DIALTONE_TIMEOUT", "soon", "must be a number of seconds"), ("DIALTONE_TIMEOUT", "-1", "must be from"),
        ("DIALTONE_TIMEOUT", "nan", "must be from"), ("DIALTONE_INTERVAL", "0", "must be from"),
        ("DIALTONE_FAMILY", "5", "must be 4, 6 or any"), ("DIALTONE_PASSIVE", "maybe", "must be true or false"),
        ("DIALTONE_ENDPOINTS", "ftp://host/", "endpoints[0].url"),
        ("DIALTONE_ENDPOINTS", "http://a/ bogus", "status:CODE"),
        ("DIALTONE_ENDPOINTS", "http://a/; http://b/ regex:(", "regular expression"),
        ("DIALTONE_COSTS", "eth0=expensive", "interface:NAME=COST"),
        ("DIALTONE_COSTS", "type:fibre=expensive", "no type of interface"),
        ("DIALTONE_COSTS", "type:wifi=dear", "does not end with one of"),
    ]) func `a variable is named with what is wrong with it`(name: String, value: String, words: String) async throws {
        let folder = try SettingsFolder()
        for command in [["status"], ["check"], ["watch"], ["wait", "--timeout", "1"], ["run", "--", "true"]] {
            let run = try await CommandRun.start(
                .dialtone, command, in: NetworkNamespace(),
                environment: folder.environment.merging([name: value]) { $1 })
            #expect(try await run.exitStatus() == 64)
            let error = try #require(run.errors.values.first)
            #expect(error.contains("\(name): ") && error.contains(words), "\(error)")
        }
    }

    @Test(arguments: [
        ("{", "it is not a JSON object"), ("[]", "it is not a JSON object"), ("", "it is not a JSON object"),
        (#"{"quorom": 2}"#, #"there is no setting "quorom"; there are endpoints, quorum"#),
        (#"{"timeout": "5"}"#, "timeout: must be a number of seconds"),
        (#"{"timeout": 1e99}"#, "timeout: must be from"),
        (#"{"interval": 0}"#, "interval: must be from"), (#"{"passive": 1}"#, "passive: must be true or false"),
        (#"{"passive": null}"#, "passive: must be true or false"),
        (#"{"endpoints": "http://a/"}"#, "endpoints: must be a list of texts"),
        (#"{"endpoints": [""]}"#, "endpoints: an empty text is no URL"),
        (#"{"endpoints": [{"url": "http://a/"}]}"#, "endpoints: must be a list of texts"),
        (#"{"endpoints": ["http://a/"], "quorum": 2}"#, "quorum: "), (#"{"quorum": 1.5}"#, "quorum: must be a number"),
        (#"{"costs": ["x"]}"#, "costs: "), (#"{"\u001b[31mred": 1}"#, "there is no setting"),
    ]) func `a file is named with what is wrong in it, in text fit for a terminal`(text: String, words: String)
        async throws
    {
        let folder = try SettingsFolder()
        try folder.write(text, to: folder.usualFile)
        let run = try await CommandRun.start(
            .dialtone, ["status"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 64)
        let error = try #require(run.errors.values.first)
        #expect(error.contains(folder.usualFile) && error.contains(words), "\(error)")
        #expect(!error.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test(arguments: [
        ("DIALTONE_ENDPOINT", "DIALTONE_ENDPOINTS"), ("DIALTONE_QUORM", "DIALTONE_QUORUM"),
        ("DIALTONE_HOST", "DIALTONE_HOSTS"), ("DIALTONE_CONFG", "DIALTONE_CONFIG"),
    ]) func `a variable that is nearly a setting is told`(name: String, setting: String) async throws {
        let folder = try SettingsFolder()
        let run = try await CommandRun.start(
            .dialtone, ["status", "--passive"], in: NetworkNamespace(),
            environment: folder.environment.merging([name: "x", "DIALTONE_LIVE_ELSEWHERE": "1"]) { $1 })
        _ = try await run.exitStatus()
        #expect(run.errors.values == ["dialtone: \(name) is no setting; there is \(setting)"])
    }

    @Test(arguments: ["666", "664", "602"]) func `a file that others may write is refused`(mode: String) async throws {
        let folder = try SettingsFolder()
        try folder.write("{}", to: folder.usualFile)
        try FileManager.default.setAttributes(
            [.posixPermissions: try #require(Int(mode, radix: 8))], ofItemAtPath: folder.usualFile)
        for arguments in [[], ["--config", folder.usualFile]] {
            let run = try await CommandRun.start(
                .dialtone, ["--passive"] + arguments, in: NetworkNamespace(), environment: folder.environment)
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values.first?.contains("others may write it") == true, "\(run.errors.values)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file of another user is passed over, unless it is named`() async throws {
        let folder = try SettingsFolder()
        try folder.write(#"{"timeout": -1}"#, to: folder.usualFile)
        try #require(chown(folder.usualFile, 1, 1) == 0)
        let run = try await CommandRun.start(
            .dialtone, ["--passive"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 1)
        #expect(run.errors.values.first?.contains("is not used: it belongs to another user") == true)
        let named = try await CommandRun.start(
            .dialtone, ["--passive", "--config", folder.usualFile], in: NetworkNamespace())
        #expect(try await named.exitStatus() == 64)
        #expect(named.errors.values.first?.contains("timeout: must be from") == true)
    }

    @Test func `what is no file, and a file that is not there, are told so`() async throws {
        let folder = try SettingsFolder()
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let long = "\(folder.path)/long"
        try folder.write(String(repeating: " ", count: 2 << 20), to: long)
        for (path, words) in [
            ("\(folder.path)/none.json", "there is no such file"), (folder.path, "it is not a file"),
            (pipe, "it is not a file"), (long, "it is longer than 1 MiB"),
        ] {
            let run = try await CommandRun.start(.dialtone, ["--config", path], in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values.first?.contains("\(path): \(words)") == true, "\(run.errors.values)")
        }
    }

    @Test func `/dev/null is a file without settings`() async throws {
        let folder = try SettingsFolder()
        try folder.write("nonsense", to: folder.usualFile)
        let run = try await CommandRun.start(
            .dialtone, ["--passive", "--config", "/dev/null"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 1)
        #expect(run.errors.values.isEmpty)
    }

    /// Found by fuzzing: Foundation's reader of JSON5 traps on a key that is not UTF-8.
    @Test func `a file that is not UTF-8 is refused`() async throws {
        let folder = try SettingsFolder()
        try folder.write("", to: folder.usualFile)
        try Data([UInt8(ascii: "{"), 0xFF, 0xFF, UInt8(ascii: ":"), UInt8(ascii: "1"), UInt8(ascii: "}")])
            .write(to: URL(fileURLWithPath: folder.usualFile))
        let run = try await CommandRun.start(
            .dialtone, ["status"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 64)
        #expect(try #require(run.errors.values.first).contains("it is not UTF-8"))
    }
}
