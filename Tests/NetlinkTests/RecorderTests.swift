// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct RecorderTests {
    let numbers = Recorder<Int>()

    @Test func `a wait continues where the last one ended`() async throws {
        for number in 1...5 { numbers.record(number) }
        #expect(try await numbers.next() == 1)
        #expect(try await numbers.next { $0 > 2 } == 3)
        #expect(try await numbers.values { $0 == 5 } == [4, 5])
        #expect(numbers.values == [1, 2, 3, 4, 5])
    }

    @Test func `a wait ends when the value is recorded`() async throws {
        async let wanted = numbers.next { $0 == 8 }
        for number in 6...9 { numbers.record(number) }
        #expect(try await wanted == 8)
        #expect(try await numbers.next() == 9)
    }

    @Test(.real) func `a missing value is a failure that lists the recorded values`() async throws {
        numbers.record(1)
        numbers.record(2)
        _ = try await numbers.next()
        let error = try await #require(throws: RecorderTimeout.self) {
            try await numbers.next(timeout: .milliseconds(1)) { $0 == 9 }
        }
        #expect(error.description.contains("(earlier) 1\n  2"))
    }

    @Test func `a cancelled wait ends`() async {
        let waiting = Task { try await numbers.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
