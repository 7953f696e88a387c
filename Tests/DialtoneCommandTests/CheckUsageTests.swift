// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

/// Invalid options of `dialtone check`.
@Suite(.requires(.networkNamespaces))
struct CheckUsageTests {
    private static let expectation = "must be status:CODE, body:TEXT, prefix:TEXT, contains:TEXT, regex:RE or nonce"
    private static let times = "must be a number of seconds from"

    @Test(arguments: [
        (["--endpoint", "ftp://host/"], "--endpoint: 'ftp://host/' must be an http or https URL"),
        (["--endpoint", "nonsense"], "--endpoint: 'nonsense' must be an http or https URL"),
        (["--endpoint", "http://a.test/ bogus"], "--endpoint: 'bogus' \(expectation)"),
        (
            ["--endpoint", "http://a.test/ status:abc"],
            "--endpoint: 'status:abc' must have a status from 200 to 599"
        ),
        (
            ["--endpoint", "http://a.test/ regex:("],
            "--endpoint: 'regex:(' must have a valid regular expression: expected ')'"
        ),
        (["--quorum", "0"], "--quorum: '0' must be at least 1"),
        (["--quorum", "200%"], "--quorum: '200%' must be above 0 % and at most 100 %"),
        (["--quorum", "many"], "--quorum: 'many' must be a whole number or a percentage such as 50%"),
        (
            ["--endpoint", "http://a.test/", "--quorum", "2"],
            "--quorum: '2' must be at most 1, the number of endpoints"
        ),
        (["--timeout", "0"], "--timeout: '0' \(times) 0.001 to 3600"),
        (["--timeout=-1"], "--timeout: '-1' \(times) 0.001 to 3600"),
        (["--timeout", "-1"], "--timeout: '-1' \(times) 0.001 to 3600"),
        (["--timeout", "nan"], "--timeout: 'nan' \(times) 0.001 to 3600"),
        (["--timeout", "1e30"], "--timeout: '1e30' \(times) 0.001 to 3600"),
        (["--family", "5"], "--family: '5' must be 4, 6 or any"),
        (["--proxy", "socks"], "--proxy: 'socks' must be environment or none"),
    ]) func `an invalid option is named, with the reason and status 64`(arguments: [String], message: String)
        async throws
    {
        for command in ["check", "status", "watch", "doctor"] {
            let run = try await CommandRun.start(.dialtone, [command] + arguments, in: NetworkNamespace())
            #expect(try await run.exitStatus() == 64)
            #expect(run.errors.values == ["dialtone: \(message)"])
        }
    }

    @Test(arguments: ["0", "-1", "nan", "1e9"]) func `an invalid interval is named`(text: String) async throws {
        let run = try await CommandRun.start(.dialtone, ["watch", "--interval=\(text)"], in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values == ["dialtone: --interval: '\(text)' \(Self.times) 0.1 to 10000000"])
    }

    @Test func `an endpoint carries its expectation`() async throws {
        let endpoints = ["--endpoint", "http://127.0.0.1:1/a", "--endpoint=http://127.0.0.1:1/b status:201"]
        let run = try await CommandRun.start(.dialtone, ["check", "--json"] + endpoints, in: NetworkNamespace())
        #expect(try await run.exitStatus() == 1)
        #expect(run.output.values.first?.contains(#""url":"http://127.0.0.1:1/b""#) == true)
    }
}
