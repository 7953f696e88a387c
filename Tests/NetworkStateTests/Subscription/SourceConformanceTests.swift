// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

struct SourceConformanceTests {
    @Test func `a scripted source meets the requirements`() async throws {
        let source = ScriptedSource(NetworkSnapshot())
        let suite = SourceConformance {
            source.subscribe($0)
        } change: { number in
            source.publish(NetworkSnapshot(interfaces: [.wired(Int32(number))]))
        }
        try await suite.check()
    }

    @Test func `a replay meets the requirements`() async throws {
        var steps: [NetworkRecording.Step] = [.publish]
        for number in 1...SourceConformance.changes {
            steps += [.datagram(try Wire.link(.newLink, Int32(number), name: "eth\(number)")), .publish]
        }
        // Through its text form, it is still the same recording.
        let source = try ReplaySource(try NetworkRecording(parsing: "\(NetworkRecording(steps))"))
        let suite = SourceConformance {
            source.subscribe($0)
        } change: { _ in
            #expect(source.advance())
        }
        try await suite.check()
        #expect(!source.advance())
    }
}
