// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Testing

/// Lines that are longer than a terminal is wide.
struct WrappingTests {
    @Test(arguments: [
        ("12:00  Offline.  (changed: state, path)", 80, "12:00  Offline.  (changed: state, path)"),
        ("12:00  Offline.  (changed: state, path)", 39, "12:00  Offline.  (changed: state, path)"),
        ("12:00  Offline.  (changed: state, path)", 38, "12:00  Offline.  (changed: state,\n       path)"),
        (
            "12:00  Offline.  (changed: state, path)", 16,
            "12:00  Offline.\n       (changed:\n       state,\n       path)"
        ),
        // A number and its unit.
        ("passed  after 13 ms, of 1 h 5 min.", 17, "passed  after\n       13 ms, of\n       1 h 5 min."),
        ("at 12 servers, 3 days", 15, "at 12 servers,\n       3 days"),
        // A word that is longer than the line.
        ("12:00  http://login.example.net/", 20, "12:00\n       http://login.example.net/"),
        // Colors have no width.
        (
            "\u{1B}[2m12:00\u{1B}[0m  \u{1B}[31mOffline.\u{1B}[0m", 15,
            "\u{1B}[2m12:00\u{1B}[0m  \u{1B}[31mOffline.\u{1B}[0m"
        ),
        ("", 10, ""), ("word", 0, "word"), ("  a b", 6, "  a b"), ("  a b", 4, "  a\n  b"),
    ])
    func `lines break between words`(text: String, width: Int, expected: String) {
        #expect(text.wrapped(to: width, indent: 7) == expected)
    }
}
