//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink
import TestSupport
import Testing

/// What `dialtone check` makes of wrong options.
@Suite(.requires(.networkNamespaces))
struct CheckUsageTests {
    @Test(arguments: [
        (["--endpoint", "ftp://host/"], "endpoints[0].url"),
        (["--endpoint", "nonsense"], "endpoints[0].url"),
        (["--endpoint", "http://a.test/", "--expect", "bogus"], "status:CODE"),
        (["--endpoint", "http://a.test/", "--expect", "status:abc"], "status"),
        (["--endpoint", "http://a.test/", "--expect", "regex:("], "regular expression"),
        (["--expect", "status:200"], "--expect must follow"),
        (["--expect", "status:200", "--endpoint", "http://a.test/"], "--expect must follow"),
        (["--endpoint", "http://a.test/", "--expect", "status:200", "--expect=status:201"], "two --expect"),
        (["--quorum", "0"], "quorum"), (["--quorum", "101%"], "quorum"), (["--quorum", "many"], "quorum"),
        (["--endpoint", "http://a.test/", "--quorum", "2"], "quorum"),
        (["--timeout", "0"], "--timeout"), (["--timeout=-1"], "--timeout"), (["--timeout", "nan"], "--timeout"),
        (["--timeout", "1e30"], "--timeout"), (["--family", "5"], "--family"),
    ]) func `wrong usage ends with 64 and names the option`(arguments: [String], words: String) async throws {
        for command in ["check", "status", "watch"] {
            let run = try await CommandRun.start(.dialtone, [command] + arguments, in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values.first?.contains(words) == true, "\(run.errors.values)")
        }
    }

    @Test(arguments: ["0", "-1", "nan", "1e9"]) func `an interval that cannot be is wrong usage`(text: String)
        async throws
    {
        let run = try await CommandRun.start(.dialtone, ["watch", "--interval=\(text)"], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values.first?.contains("--interval") == true)
    }

    @Test func `each --expect belongs to the --endpoint before it`() async throws {
        let namespace = try NetworkNamespace()
        let run = try await CommandRun.start(
            .dialtone,
            [
                "check", "--json", "--endpoint", "http://127.0.0.1:1/a", "--endpoint=http://127.0.0.1:1/b",
                "--expect=status:201",
            ], in: namespace)
        #expect(try await run.exitStatus() == 1)
        #expect(run.output.values.first?.contains(#""url":"http://127.0.0.1:1/b""#) == true)
    }
}
