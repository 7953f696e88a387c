// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

/// Options precede the environment, which precedes a file, which precedes the defaults.
@Suite(.requires(.networkNamespaces))
struct PrecedenceTests {
    @Test(
        arguments: [
            (file: true, variable: false, option: false, asked: "file"),
            (file: true, variable: true, option: false, asked: "variable"),
            (file: true, variable: true, option: true, asked: "option"),
            (file: false, variable: true, option: false, asked: "variable"),
            (file: true, variable: false, option: true, asked: "option"),
        ]) func `the first source with a value is used`(file: Bool, variable: Bool, option: Bool, asked: String)
        async throws
    {
        let folder = try SettingsFolder()
        if file { try folder.write(#"{"endpoints": ["http://127.0.0.1:1/file"]}"#, to: folder.standardFile) }
        var environment = folder.environment
        if variable { environment["DIALTONE_ENDPOINTS"] = "http://127.0.0.1:1/variable" }
        let arguments = option ? ["--endpoint", "http://127.0.0.1:1/option"] : []
        #expect(try await asks(arguments, environment) == ["http://127.0.0.1:1/\(asked)"])
    }

    @Test func `a named file replaces the default one`() async throws {
        let folder = try SettingsFolder()
        try folder.write(#"{"endpoints": ["http://127.0.0.1:1/usual"]}"#, to: folder.standardFile)
        let (one, other) = ("\(folder.path)/one.json", "\(folder.path)/other.json")
        try folder.write(
            """
            {
                // JSON5: people write comments.
                "endpoints": ["http://127.0.0.1:1/one", "http://127.0.0.1:1/more body:a b"],
                "quorum": 2, "timeout": 2.5, "family": "4",
            }
            """, to: one)
        try folder.write(#"{"endpoints": ["http://127.0.0.1:1/other"]}"#, to: other)
        var environment = folder.environment
        #expect(
            try await asks(["--config", one], environment) == ["http://127.0.0.1:1/one", "http://127.0.0.1:1/more"])
        environment["DIALTONE_CONFIG"] = other
        #expect(try await asks([], environment) == ["http://127.0.0.1:1/other"])
        #expect(
            try await asks(["--config", one, "--quorum", "1"], environment)
                == ["http://127.0.0.1:1/one", "http://127.0.0.1:1/more"])
        // An empty variable counts as unset.
        environment["DIALTONE_CONFIG"] = ""
        #expect(try await asks([], environment) == ["http://127.0.0.1:1/usual"])
    }

    @Test func `passive is a setting, and an option overrides it`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let folder = try SettingsFolder()
        try folder.write(#"{"passive": true, "endpoints": ["http://192.0.2.2:1/"]}"#, to: folder.standardFile)
        for (arguments, environment, status) in [
            ([], [:], 0), (["--no-passive"], [:], 3), ([], ["DIALTONE_PASSIVE": "no"], 3),
            (["--passive"], ["DIALTONE_PASSIVE": "no"], 0),
        ] as [([String], [String: String], Int32)] {
            let run = try await CommandRun.start(
                .dialtone, ["status"] + arguments, in: lab.namespace,
                environment: folder.environment.merging(environment) { $1 })
            #expect(try await run.exitStatus() == status, "\(arguments) \(environment) \(run.output.values)")
        }
    }

    @Test func `the costs of links show in the path`() async throws {
        let lab = try Uplink()
        try await lab.connect()
        let folder = try SettingsFolder()
        try folder.write(#"{"costs": ["type:wired=expensive"]}"#, to: folder.standardFile)
        for (arguments, environment, expensive, constrained) in [
            ([], [:], true, false), (["--cost", "interface:up0=inexpensive"], [:], false, false),
            ([], ["DIALTONE_COSTS": "interface:up0=constrained; type:wired=inexpensive"], false, true),
            (["--cost", "type:wired=expensive", "--cost=interface:up0=constrained"], [:], true, true),
            (["--cost", "network:a=b:c=expensive"], [:], false, false),
        ] as [([String], [String: String], Bool, Bool)] {
            let run = try await CommandRun.start(
                .dialtone, ["--passive", "--json"] + arguments, in: lab.namespace,
                environment: folder.environment.merging(environment) { $1 })
            #expect(try await run.exitStatus() == 0)
            let line = try #require(run.output.values.first)
            #expect(line.contains(#""isExpensive":\#(expensive)"#), "\(arguments) \(environment) \(line)")
            #expect(line.contains(#""isConstrained":\#(constrained)"#), "\(arguments) \(environment) \(line)")
        }
    }

    /// The URLs that a check contacts, in a namespace where every request fails at once.
    private func asks(_ arguments: [String], _ environment: [String: String]) async throws -> [String] {
        let run = try await CommandRun.start(
            .dialtone, ["check", "--json"] + arguments, in: NetworkNamespace(), environment: environment)
        #expect(try await run.exitStatus() == 1, "\(run.errors.values)")
        let line = try #require(run.output.values.first)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let internet = try #require(object["internet"] as? [String: Any])
        return try #require(internet["endpoints"] as? [[String: Any]]).compactMap { $0["url"] as? String }
    }
}
