// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// Which TLS handshakes of a check begin at once.
struct HandshakePaceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The times after which connections are accepted, in milliseconds; nil for the end of a handshake.
        let events: [Int?]
        /// Whether each connection's handshake begins at once.
        let begins: [Bool]

        init(_ name: String, _ events: [Int?], _ begins: [Bool]) {
            (testDescription, self.events, self.begins) = (name, events, begins)
        }
    }

    static let rows = [
        Row("a fast line", [10, 20, 30, 100], [true, true, true, true]),
        Row("a slow line", [101, 200, 300, 400], [true, true, false, false]),
        Row("a line that becomes slow", [40, 90, 140, 95], [true, true, false, true]),
        Row("a handshake that has ended", [600, nil, 600, 600, 600], [true, true, true, true]),
        Row("one that ended while others waited", [600, 600, 600, nil, 600], [true, true, false, true]),
    ]

    @Test(arguments: rows) func `two handshakes begin, and the others when one has ended`(row: Row) {
        var window = HandshakeWindow()
        let begins = row.events.compactMap { event -> Bool? in
            guard let event else {
                window.end()
                return nil
            }
            return window.begins(after: .milliseconds(event))
        }
        #expect(begins == row.begins)
    }

    @Test func `a handshake waits for eight round trips, and two seconds at most`() {
        #expect(HandshakeWindow.patience(after: .milliseconds(150)) == .milliseconds(1200))
        #expect(HandshakeWindow.patience(after: .seconds(1)) == .seconds(2))
    }
}
