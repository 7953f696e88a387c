// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CommandSupport
import Foundation
import Logging
import Testing

@testable import DialtoneServerCommand

/// The log of `dialtone serve`, which never blocks its writers.
struct LogTests {
    @Test func `lines are in order, and dropped lines are counted once, in their place`() {
        var backlog = LogBacklog(limit: 2)
        #expect(backlog.next() == nil)
        for line in ["a", "b", "c", "d"] { backlog.add(line) }
        #expect(backlog.next() == .line("a"))
        // There is room, but the dropped lines have not been logged yet.
        backlog.add("e")
        #expect(backlog.next() == .line("b"))
        #expect(backlog.next() == .missing(3))
        #expect(backlog.next() == nil)
        backlog.add("f")
        #expect(backlog.next() == .line("f"))
        #expect(backlog.next() == nil)
    }

    @Test(.timeLimit(.minutes(2))) func `a pipe without a reader blocks no writer`() async throws {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        try #require(result == 0)
        let (reading, writing) = (ends[0], ends[1])
        Self.fill(writing)
        let log = LogWriter(writing, limit: 10)
        let line = String(repeating: "x", count: 1000)
        for number in 0..<700 { log.add("\(number) \(line)") }
        #expect(!log.flush(within: 0.01))
        let text = try await Self.read(reading) { log.flush(within: 60) && close(writing) == 0 }
        close(reading)
        let lines = text.split(separator: "\n")
        let told = try #require(lines.last)
        let count = lines.count - 1
        #expect(told.contains("level=warning") && told.hasSuffix(" count=\(700 - count)"), "\(told)")
        #expect(lines.dropLast().enumerated().allSatisfy { $1 == "\($0) \(line)" })
    }

    @Test func `hostile text stays one line in either format, and JSON keeps it`() throws {
        let text = "a\nlevel=error \"b\" \\ \u{1B}[31m\u{9B}2J\u{2028}é"
        let line = LogLine(.info, text, ["reason": text, "level": "spoofed", "empty": ""])
        let plain = line.text(in: .text)
        #expect(plain.contains(" level=info message=\"a") && plain.contains(" empty=\"\""))
        let json = line.text(in: .json)
        for line in [plain, json] {
            #expect(!line.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{9B}" }, "\(line)")
        }
        #expect(json.hasPrefix("{\"time\":\"20") && json.contains("\",\"level\":\"info\",\"message\":"))
        let entry = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String])
        #expect(entry["message"] == text && entry["reason"] == text)
        #expect(entry["level"] == "info" && entry["empty"]?.isEmpty == true && entry.count == 5)
    }

    /// Writes empty lines until no more fit.
    private static func fill(_ descriptor: Int32) {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while write(descriptor, bytes, bytes.count) > 0 {}
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    /// Reads to the end, which the other thread causes.
    private static func read(_ descriptor: Int32, until end: @escaping @Sendable () -> Bool) async throws -> String {
        Thread.detachNewThread { _ = end() }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var all = Data()
                var chunk = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = Foundation.read(descriptor, &chunk, chunk.count)
                    guard count > 0 else { break }
                    all += chunk[..<count]
                }
                continuation.resume(returning: String(decoding: all, as: UTF8.self))
            }
        }
    }
}
#endif
