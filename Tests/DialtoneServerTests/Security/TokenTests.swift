// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent
import NetworkSimulation
import Testing

@testable import DialtoneServer

struct TokenTests {
    @Test func `a token is one word of sufficient length`() throws {
        #expect(try Token(" 0123456789abcdef\n").matches("0123456789abcdef"))
        for text in [
            "", "short", "0123456789abcde", "two words that are long", "0123456789abcdé…", "0123456789\u{0}bcdefg",
        ] {
            #expect(throws: ServiceError.self, "\(text)") { try Token(text) }
        }
    }

    @Test func `only the token matches`() throws {
        let token = try Token("0123456789abcdef")
        for text in [
            "", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF", "0123456789abcdef0123456789abcdef",
        ] {
            #expect(!token.matches(text), "\(text)")
        }
    }

    @Test func `sessions expire, and their number is limited`() {
        var sessions = Sessions()
        let now = TestClock().timeSource.now
        func holds(_ word: String, after time: Duration) -> Bool { sessions.contains(word, at: now + time) }
        let first = sessions.begin(at: now, random: SystemRandomNumberGenerator())
        #expect(first.count == 64)
        #expect(holds(first, after: Sessions.length - .seconds(1)))
        #expect(!holds("", after: .zero))
        #expect(!holds(first, after: Sessions.length))
        let second = sessions.begin(at: now, random: SystemRandomNumberGenerator())
        for _ in 0..<Sessions.limit { _ = sessions.begin(at: now, random: SystemRandomNumberGenerator()) }
        #expect(!holds(second, after: .zero))
    }

    @Test func `ending a session leaves the others intact`() {
        var sessions = Sessions()
        let now = TestClock().timeSource.now
        let words = (0..<3).map { _ in sessions.begin(at: now, random: SystemRandomNumberGenerator()) }
        for word in ["", "unknown", words[1], words[1]] { sessions.end(word) }
        let held = words.map { sessions.contains($0, at: now) }
        #expect(held == [true, false, true])
    }

    @Test func `a rate is limited, and a pause allows a burst again`() {
        var limit = RateLimit(burst: 3, interval: .seconds(2))
        let start = TestClock().timeSource.now
        func tries(_ count: Int, after time: Duration) -> [Bool] {
            (0..<count).map { _ in limit.allows(at: start + time) }
        }
        #expect(tries(5, after: .zero) == [true, true, true, false, false])
        #expect(tries(1, after: .seconds(1)) == [false])
        #expect(tries(2, after: .seconds(2)) == [true, false])
        #expect(tries(4, after: .seconds(3600)) == [true, true, true, false])
    }
}
