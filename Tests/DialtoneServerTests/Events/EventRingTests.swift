// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct EventRingTests {
    private func numbers(_ ring: EventRing, after number: UInt64) -> [UInt64]? {
        switch ring.next(after: number) {
        case .event(let event): numbers(ring, after: event.number).map { [event.number] + $0 }
        case .quiet: []
        default: nil
        }
    }

    @Test func `a client gets the events it missed, or restarts after missing too many`() {
        var ring = EventRing(series: "a", capacity: 3)
        #expect(numbers(ring, after: 0) == [])
        for number in 1...5 { ring.append("n", "\(number)") }
        #expect(ring.latest == 5)
        #expect(numbers(ring, after: 5) == [])
        #expect(numbers(ring, after: 4) == [5])
        #expect(numbers(ring, after: 2) == [3, 4, 5])
        #expect(numbers(ring, after: 1) == nil)
        #expect(numbers(ring, after: 9) == nil)
    }

    @Test func `memory is bounded by bytes too, and the latest event is always kept`() {
        var ring = EventRing(series: "a", capacity: 100, byteCapacity: 1000)
        for _ in 0..<50 { ring.append("n", String(repeating: "x", count: 400)) }
        #expect(numbers(ring, after: 48) == [49, 50])
        #expect(numbers(ring, after: 47) == nil)
        ring.append("n", String(repeating: "x", count: 5000))
        #expect(numbers(ring, after: 50) == [51])
    }

    @Test(
        arguments: [
            ("a-2", 2), ("a-0", 0), ("b-2", nil), ("a-3", nil), ("a-", nil), ("-2", nil), ("2", nil), ("", nil),
            ("a-2-2", nil),
            ("a--2", nil), ("a-99999999999999999999", nil),
        ] as [(String, UInt64?)])
    func `event numbers of another run are rejected`(text: String, number: UInt64?) {
        var ring = EventRing(series: "a")
        ring.append("n", "1")
        ring.append("n", "2")
        #expect(ring.number(of: text) == number)
    }

    @Test func `an event is formatted for browsers`() {
        let text = String(decoding: EventText.event("n", "{}\nmore", id: "a-1"), as: UTF8.self)
        #expect(text == "id: a-1\nevent: n\ndata: {}\ndata: more\n\n")
    }
}
