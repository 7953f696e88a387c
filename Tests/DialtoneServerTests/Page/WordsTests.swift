//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneNotifications
import Foundation
import Testing

@testable import DialtoneServer

struct WordsTests {
    @Test(arguments: [
        (0.0, "0 s"), (0.2, "under 1 s"), (1, "1 s"), (59.4, "59 s"), (60, "1 min"), (192, "3 min 12 s"), (3600, "1 h"),
        (11_520, "3 h 12 min"), (86_400, "1 d"), (90_000, "1 d 1 h"), (-1, "0 s"), (.infinity, "0 s"), (.nan, "0 s"),
    ])
    func `durations have at most two units`(seconds: Double, words: String) {
        #expect(Words.length(seconds) == words)
    }

    @Test(arguments: [
        (1.0, "100 %"), (0.99999, "99.99 %"), (0.9998, "99.98 %"), (0.5, "50 %"), (0.0506, "5.06 %"), (0, "0 %"),
        (-1, "0 %"),
    ])
    func `a percentage is never rounded up to 100`(value: Double, words: String) {
        #expect(Words.share(value) == words)
    }

    @Test(
        arguments: [
            ([], "-- -------", "not reachable"),
            (.reachable, "-R -------", "reachable"),
            ([.reachable, .isLocalAddress, .isDirect], "-R -----ld", nil),
            ([.reachable, .cellular, .transientConnection], "WR t------", nil),
            ([.reachable, .connectionRequired, .connectionOnTraffic, .transientConnection], "-R tcC----", nil),
        ] as [(SCNetworkReachabilityFlags, String, String?)])
    func `flags have their classic form`(flags: SCNetworkReachabilityFlags, text: String, words: String?) {
        #expect(FlagText.text(flags) == text)
        if let words { #expect(FlagText.words(flags) == words) }
    }

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
            ["from": "yesterday"], ["to": "2026-13-40"], ["from": "1e400"], ["from": "nan"], ["spans": "0"],
            ["spans": "10001"], ["spans": "x"], ["from": "1800000001"], ["from": "2", "to": "1"],
            ["from": String(repeating: "2026-11-20T12:00:00Z", count: 100)],
        ] {
            #expect(throws: RequestError.self, "\(query)") { try HistoryWindow(query, now: now) }
        }
    }
}
