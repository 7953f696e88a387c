// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// The DNS queries of the diagnostics, as bytes.
struct NameQueryTests {
    private static let header: [UInt8] = [0xAB, 0xCD, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    private static let question: [UInt8] = [1, 0x61, 2, 0x62, 0x63, 0, 0, 1, 0, 1]

    private func query() throws -> NameQuery { try #require(NameQuery("a.bc", identifier: 0xABCD)) }

    @Test func `a query has the format of RFC 1035`() throws {
        #expect(try query().message == Self.header + Self.question)
        #expect(try #require(NameQuery("a.bc.", identifier: 0xABCD)).message == Self.header + Self.question)
        #expect(try #require(NameQuery("", identifier: 0xABCD)).message == Self.header + [0, 0, 1, 0, 1])
    }

    @Test(
        arguments: [
            ([], true, nil), ([nil, nil], true, .silent), ([nil], false, .unconfigured),
            ([.refuses, .refuses], true, .refused), ([.refuses], false, .unconfigured),
            ([.refuses, nil], true, .silent), ([.unreachable, .unreachable], true, .unreachable),
            ([.unreachable, .silent], true, .silent), ([.silent, .silent], true, .silent),
            ([.answers, .unreachable], true, .answering), ([.answers, .fails], true, .failing),
        ] as [([NameServerProbe.Outcome?], Bool, NameServerFault.Kind?)])
    func `the reactions of the servers show the fault`(
        outcomes: [NameServerProbe.Outcome?], areConfigured: Bool, kind: NameServerFault.Kind?
    ) {
        var servers = NameServers(
            outcomes.indices.map { NetworkAddress(192, 0, 2, UInt8($0)) }, areConfigured: areConfigured)
        for (index, outcome) in outcomes.enumerated() {
            if let outcome { servers.react(index, .init(outcome: outcome, duration: .milliseconds(20))) }
        }
        #expect(NameServerFault(servers)?.kind == kind)
    }

    @Test(arguments: ["a..b", ".", ".a", "a..", String(repeating: "x", count: 64), String(repeating: "ab.", count: 90)])
    func `no query is built for an invalid name`(name: String) {
        #expect(NameQuery(name) == nil)
    }

    @Test func `only a reply to the query counts, and its code is read`() throws {
        let query = try query()
        for code in UInt8(0)...15 {
            let reply = [0xAB, 0xCD, 0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0] + Self.question
            #expect(query.responseCode(in: reply[...]) == code)
        }
        let upper = [0xAB, 0xCD, 0x81, 0, 0, 1, 0, 0, 0, 0, 0, 0] + [1, 0x41, 2, 0x42, 0x43, 0, 0, 1, 0, 1] as [UInt8]
        #expect(query.responseCode(in: upper[...]) == 0)
        let bare: [UInt8] = [0xAB, 0xCD, 0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(query.responseCode(in: bare[...]) == 1)
        // A reply to another identifier, a query, a reply to another query, and truncated replies.
        #expect(query.responseCode(in: ([0xAB, 0xCE] + bare[2...])[...]) == nil)
        #expect(query.responseCode(in: query.message[...]) == nil)
        var other = upper
        other[13] = 0x7A
        #expect(query.responseCode(in: other[...]) == nil)
        for length in 0..<12 { #expect(query.responseCode(in: bare[..<length]) == nil) }
        for length in 12..<upper.count { #expect(query.responseCode(in: upper[..<length]) == nil) }
    }
}
