// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// Invalid settings: one line with the source, the setting, the value and the required form, and status 64.
@Suite(.requires(.networkNamespaces))
struct WrongSettingsTests {
    private static let times = "must be a number of seconds from"
    private static let costs = "expensive, inexpensive, constrained, unconstrained, ultra-constrained"

    @Test(arguments: [
        ("DIALTONE_QUORUM", "many", "'many' must be a whole number or a percentage such as 50%"),
        ("DIALTONE_QUORUM", "0", "'0' must be at least 1"),
        ("DIALTONE_QUORUM", "101%", "'101%' must be above 0 % and at most 100 %"),
        ("DIALTONE_QUORUM", "13", "'13' must be at most 12, the number of endpoints"),
        ("DIALTONE_TIMEOUT", "soon", "'soon' \(times) 0.001 to 3600"),
        ("DIALTONE_TIMEOUT", "-1", "'-1' \(times) 0.001 to 3600"),
        ("DIALTONE_TIMEOUT", "nan", "'nan' \(times) 0.001 to 3600"),
        ("DIALTONE_INTERVAL", "0", "'0' \(times) 0.1 to 10000000"),
        ("DIALTONE_FAMILY", "5", "'5' must be 4, 6 or any"),
        ("DIALTONE_PROXY", "socks", "'socks' must be environment or none"),
        ("DIALTONE_PASSIVE", "maybe", "'maybe' must be true or false"),
        ("DIALTONE_REQUIRE_TLS", "maybe", "'maybe' must be true or false"),
        ("DIALTONE_ENDPOINTS", "ftp://host/", "'ftp://host/' must be an http or https URL"),
        ("DIALTONE_ENDPOINTS", "http://user:secret@host/", "must not contain a user or a password"),
        (
            "DIALTONE_ENDPOINTS", "http://a/ bogus",
            "'bogus' must be status:CODE, body:TEXT, prefix:TEXT, contains:TEXT, regex:RE or nonce"
        ),
        (
            "DIALTONE_ENDPOINTS", "http://a/; http://b/ regex:(",
            "'regex:(' must have a valid regular expression: expected ')'"
        ),
        (
            "DIALTONE_COSTS", "eth0=expensive",
            "'eth0=expensive' must be interface:NAME=COST, network:NAME=COST or type:TYPE=COST"
        ),
        (
            "DIALTONE_COSTS", "type:fibre=expensive",
            "'type:fibre=expensive': the type must be one of wifi, cellular, wired, loopback, other"
        ),
        ("DIALTONE_COSTS", "type:wifi=dear", "'type:wifi=dear': the cost must be one of \(costs)"),
    ]) func `an invalid variable is named, with the reason`(name: String, value: String, reason: String) async throws {
        let folder = try SettingsFolder()
        for command in [["status"], ["check"], ["watch"], ["wait", "--timeout", "1"], ["run", "--", "true"]] {
            let run = try await CommandRun.start(
                .dialtone, command, in: NetworkNamespace(),
                environment: folder.environment.merging([name: value]) { $1 })
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values == ["dialtone: \(name): \(reason)"])
        }
    }

    @Test(arguments: [
        ("{", "line 1, column 2: expected a name"), ("[]", "line 1, column 1: expected '{'"),
        ("", "line 1, column 1: expected '{'"),
        ("{\n  \"quorum\": 2\n  \"timeout\": 5\n}", "line 3, column 3: expected ',' or '}'"),
        ("{\"quorum\": many}", "line 1, column 12: expected a value"),
        (#"{"quorom": 2}"#, "unknown setting 'quorom'; did you mean 'quorum'?"),
        (#"{"endpoint": []}"#, "unknown setting 'endpoint'; did you mean 'endpoints'?"),
        (#"{"timeout": "5"}"#, #"timeout: "5" \#(times) 0.001 to 3600"#),
        (#"{"timeout": 1e99}"#, "timeout: '1e99' \(times) 0.001 to 3600"),
        (#"{"interval": 0}"#, "interval: '0' \(times) 0.1 to 10000000"),
        (#"{"heartbeat": 0.5}"#, "heartbeat: '0.5' \(times) 1 to 86400, or off"),
        (#"{"passive": 1}"#, "passive: '1' must be true or false"),
        (#"{"passive": null}"#, "passive: must be true or false"),
        (
            #"{"endpoints": true}"#,
            #"endpoints: 'true' must be a list of strings such as "https://example.com/ok.txt body:OK""#
        ),
        (#"{"endpoints": [""]}"#, "endpoints: '' must be an http or https URL"),
        (
            #"{"endpoints": [{"url": "http://a/"}]}"#,
            #"endpoints: must be a list of strings such as "https://example.com/ok.txt body:OK""#
        ),
        (#"{"endpoints": ["http://a/"], "quorum": 2}"#, "quorum: '2' must be at most 1, the number of endpoints"),
        (#"{"quorum": 1.5}"#, "quorum: '1.5' must be a whole number or a percentage such as 50%"),
        (#"{"costs": ["x"]}"#, "costs: 'x' must be interface:NAME=COST, network:NAME=COST or type:TYPE=COST"),
        (
            #"{"\u001b[31mred": 1}"#,
            """
            unknown setting '\u{FFFD}[31mred'; the settings are endpoints, quorum, timeout, family, proxy, public-addresses, require-tls, \
            interval, heartbeat, passive, costs, data-dir, listen, token-file, tls-certificate, tls-key, allow-hosts, hosts, \
            host-interval, hooks, hook-timeout, hook-after, notify-url, notify-token-file, log-level, log-format
            """
        ),
    ]) func `an invalid file is named, with the reason, in text fit for a terminal`(text: String, reason: String)
        async throws
    {
        let folder = try SettingsFolder()
        try folder.write(text, to: folder.standardFile)
        let run = try await CommandRun.start(
            .dialtone, ["status"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values == ["dialtone: \(folder.standardFile): \(reason)"])
    }

    @Test(arguments: [
        ("DIALTONE_ENDPOINT", "DIALTONE_ENDPOINTS"), ("DIALTONE_QUORM", "DIALTONE_QUORUM"),
        ("DIALTONE_HOST", "DIALTONE_HOSTS"), ("DIALTONE_CONFG", "DIALTONE_CONFIG"),
    ]) func `a misspelled variable is reported`(name: String, setting: String) async throws {
        let folder = try SettingsFolder()
        let run = try await CommandRun.start(
            .dialtone, ["status", "--passive"], in: NetworkNamespace(),
            environment: folder.environment.merging([name: "x", "DIALTONE_LIVE_ELSEWHERE": "1"]) { $1 })
        _ = try await run.exitStatus()
        #expect(run.errors.values == ["dialtone: \(name): unknown setting; did you mean '\(setting)'?"])
    }

    @Test(arguments: ["666", "664", "602"]) func `a file that other users can write is refused`(mode: String)
        async throws
    {
        let folder = try SettingsFolder()
        try folder.write("{}", to: folder.standardFile)
        try FileManager.default.setAttributes(
            [.posixPermissions: try #require(Int(mode, radix: 8))], ofItemAtPath: folder.standardFile)
        for arguments in [[], ["--config", folder.standardFile]] {
            let run = try await CommandRun.start(
                .dialtone, ["--passive"] + arguments, in: NetworkNamespace(), environment: folder.environment)
            #expect(try await run.exitStatus() == 64)
            #expect(
                run.errors.values == [
                    "dialtone: \(folder.standardFile): other users can write to \(folder.standardFile): "
                        + "run chmod go-w \(folder.standardFile)"
                ])
        }
    }

    @Test(.requires(.fileOwners)) func `a file of another user is ignored, and refused if it is named`() async throws {
        let folder = try SettingsFolder()
        try folder.write(#"{"timeout": -1}"#, to: folder.standardFile)
        try #require(chown(folder.standardFile, 1, 1) == 0)
        let run = try await CommandRun.start(
            .dialtone, ["--passive"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 1)
        let reason = "\(folder.standardFile) belongs to another user: run chown, or choose another place"
        #expect(run.errors.values == ["dialtone: \(folder.standardFile): ignored: \(reason)"])
        let named = try await CommandRun.start(
            .dialtone, ["--passive", "--config", folder.standardFile], in: NetworkNamespace())
        #expect(try await named.exitStatus() == 64)
        #expect(named.errors.values == ["dialtone: \(folder.standardFile): \(reason)"])
    }

    @Test func `a directory that others can write matters only if it leads to a file`() async throws {
        let folder = try SettingsFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        for (text, status) in [(nil, 1), ("{}", 64)] as [(String?, Int32)] {
            if let text { try folder.write(text, to: folder.standardFile) }
            let run = try await CommandRun.start(
                .dialtone, ["--passive"], in: NetworkNamespace(), environment: folder.environment)
            #expect(try await run.exitStatus() == status)
            #expect(run.errors.values.allSatisfy { $0.hasSuffix("run chmod go-w \(folder.path)") })
        }
    }

    @Test func `a missing file, a long file and other kinds of file are refused`() async throws {
        let folder = try SettingsFolder()
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let long = "\(folder.path)/long"
        try folder.write(String(repeating: " ", count: 2 << 20), to: long)
        for (path, words) in [
            ("\(folder.path)/none.json", "no such file"), (folder.path, "not a regular file"),
            (pipe, "not a regular file"), (long, "longer than 1 MiB"),
        ] {
            let run = try await CommandRun.start(.dialtone, ["--config", path], in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values == ["dialtone: \(path): \(words)"])
        }
    }

    @Test func `/dev/null is a file without settings`() async throws {
        let folder = try SettingsFolder()
        try folder.write("nonsense", to: folder.standardFile)
        let run = try await CommandRun.start(
            .dialtone, ["--passive", "--config", "/dev/null"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 1)
        #expect(run.errors.values.isEmpty)
    }

    @Test func `a file that is not UTF-8 is refused`() async throws {
        let folder = try SettingsFolder()
        try folder.write("", to: folder.standardFile)
        try Data([UInt8(ascii: "{"), 0xFF, 0xFF, UInt8(ascii: ":"), UInt8(ascii: "1"), UInt8(ascii: "}")])
            .write(to: URL(fileURLWithPath: folder.standardFile))
        let run = try await CommandRun.start(
            .dialtone, ["status"], in: NetworkNamespace(), environment: folder.environment)
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values == ["dialtone: \(folder.standardFile): not valid UTF-8"])
    }
}
