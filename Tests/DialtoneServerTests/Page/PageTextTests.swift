// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import Testing

@testable import DialtoneServer

struct PageTextTests {
    @Test func `a history window is parsed from a query`() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let usual = try HistoryWindow([:], now: now)
        #expect(usual.end == now && usual.start == now - 86_400 && usual.spans == 1000)
        let asked = try HistoryWindow(
            ["from": "2026-11-20T12:00:00Z", "to": "2026-11-20T13:00:00.500Z", "spans": "7"], now: now)
        #expect(asked.end.timeIntervalSince(asked.start) == 3600.5)
        #expect(asked.spans == 7)
        #expect(try HistoryWindow(["from": "1700000000"], now: now).start == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try HistoryWindow(["from": "1800000000"], now: now).start == now)
        for query in [
            ["from": "soon"], ["to": "2026-13-40"], ["from": "1e400"], ["from": "nan"], ["spans": "0"],
            ["spans": "10001"], ["spans": "x"], ["from": "1800000001"], ["from": "2", "to": "1"],
            ["from": String(repeating: "2026-11-20T12:00:00Z", count: 100)],
        ] {
            #expect(throws: Refusal.self, "\(query)") { try HistoryWindow(query, now: now) }
        }
    }
}
