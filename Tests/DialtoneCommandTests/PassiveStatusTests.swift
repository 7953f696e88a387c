// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import DialtoneCommand
import TestSupport
import Testing

/// The fast path of `dialtone status --passive`.
struct PassiveStatusTests {
    @Test(arguments: [
        "--passive", "status --passive", "status --json --passive", "--passive --json", "status --passive --passive",
    ])
    func `it handles these arguments`(arguments: String) {
        #expect(PassiveStatus(arguments.split(separator: " ").map(String.init)) != nil)
    }

    @Test(arguments: [
        "", "status", "--json", "status --json", "watch --passive", "--passive status",
        "status --passive --interface up0",
        "--passive --help", "--passive --no-passive", "--passive=1", "-- --passive", "status status --passive",
    ])
    func `it leaves other arguments to the parser`(arguments: String) {
        #expect(PassiveStatus(arguments.split(separator: " ").map(String.init)) == nil)
    }

    @Test(
        .requires(.networkNamespaces),
        arguments: [["status", "--passive"], ["--passive"], ["status", "--passive", "--json"]])
    func `both ways print the same`(arguments: [String]) async throws {
        let lab = try Uplink()
        for isConnected in [false, true] {
            if isConnected { try await lab.connect() }
            var answers: [[String]] = []
            var statuses: [Int32] = []
            for way in [arguments, arguments + ["--config", "/dev/null"]] {
                let run = try await CommandRun.start(.dialtone, way, in: lab.namespace)
                statuses.append(try await run.exitStatus())
                answers.append(run.output.values.map(Self.withoutTimes))
            }
            #expect(statuses == (isConnected ? [0, 0] : [1, 1]))
            #expect(answers[0] == answers[1])
            #expect(!answers[0].isEmpty)
        }
    }

    private static func withoutTimes(_ line: String) -> String {
        line.replacing(/"[0-9]{4}-[0-9]{2}-[0-9]{2}T[^"]*"/, with: "a time")
    }

    @Test(.requires(.networkNamespaces)) func `an invalid setting is reported`() async throws {
        let lab = try Uplink()
        let run = try await CommandRun.start(
            .dialtone, ["status", "--passive"], in: lab.namespace, environment: ["DIALTONE_TIMEOUT": "soon"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values.joined().contains("DIALTONE_TIMEOUT"))
    }
}
#endif
