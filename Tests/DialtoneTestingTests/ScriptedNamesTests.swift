// SPDX-License-Identifier: Apache-2.0

import Dialtone
import TestSupport
import Testing

@testable import DialtoneTesting

struct ScriptedNamesTests {
    /// A query for `probe.test`, type A, recursion desired, with an EDNS record after it as real resolvers add.
    private static let query: [UInt8] =
        [0x12, 0x34, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 1, 5] + Array("probe".utf8) + [4] + Array("test".utf8)
        + [0, 0, 1, 0, 1, 0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0]

    private static func query(type: UInt8) -> [UInt8] {
        var bytes = query
        bytes[25] = type
        return bytes
    }

    @Test func `a reply has the query's identifier and question section`() throws {
        let question = try #require(NameQuestion(Self.query[...]))
        #expect(question.name == "probe.test")
        let reply = try #require(question.reply(.addresses("192.0.2.7", "2001:db8::7")))
        #expect(Array(reply[0..<12]) == [0x12, 0x34, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
        #expect(Array(reply[12..<28]) == Array(Self.query[12..<28]))
        #expect(Array(reply[28...]) == [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 7])
    }

    @Test func `only addresses of the requested type are returned`() throws {
        let question = try #require(NameQuestion(Self.query(type: 28)[...]))
        let reply = try #require(question.reply(.addresses("192.0.2.7", "2001:db8::7")))
        #expect(reply.count == 28 + 12 + 16)
        let other = try #require(NameQuestion(Self.query(type: 15)[...]))
        #expect(other.reply(.addresses("192.0.2.7"))?.count == 28)
    }

    @Test(arguments: [
        (ScriptedResolver.Answer.notFound, UInt8(3)), (.serverFailure, 2), (.addresses(), 0),
    ])
    func `failures are response codes`(answer: ScriptedResolver.Answer, code: UInt8) throws {
        let question = try #require(NameQuestion(Self.query[...]))
        #expect(question.reply(answer)?[3] == 0x80 | code)
        #expect(question.reply(.silence) == nil)
    }

    @Test func `random changes to queries never trap`() {
        var generator = SeededGenerator(seed: 53)
        for _ in 0..<20_000 {
            var bytes = Self.query
            for _ in 0..<Int.random(in: 1..<5, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
            if let reply = NameQuestion(cut)?.reply(.addresses("192.0.2.7")) { #expect(reply.count <= 512) }
        }
    }

    @Test func `a resolver returns the scripted answers, ignoring case`() async throws {
        let names = ScriptedResolver(["One.test": .addresses("192.0.2.1", "nonsense")])
        #expect(try await names.addresses(of: "oNE.test", family: .any).map(\.description) == ["192.0.2.1"])
        await #expect(throws: ProbeError.self) { try await names.addresses(of: "two.test", family: .any) }
        names.play(.addresses("2001:db8::2"), for: "TWO.test")
        #expect(try await names.addresses(of: "two.test", family: .any).count == 1)
        names.play(.serverFailure)
        let error = await #expect(throws: ProbeError.self) { try await names.addresses(of: "x.test", family: .any) }
        #expect(error?.code == .nameServerFailure)
        #expect(names.questions == ["oNE.test", "two.test", "two.test", "x.test"])
    }

    @Test func `silence ends with the task`() async throws {
        let names = ScriptedResolver(otherwise: .silence)
        let question = Task { try await names.addresses(of: "x.test", family: .any) }
        await names.waitForQuestions(1)
        question.cancel()
        await #expect(throws: (any Error).self) { try await question.value }
    }

    @Test func `a name server listens on the given address and port`() throws {
        let server = try ScriptedNameServer(playing: ScriptedResolver(), port: 0)
        #expect(server.port != 0)
        #expect(throws: ScriptingError.self) { try ScriptedNameServer(playing: ScriptedResolver(), port: server.port) }
    }
}
