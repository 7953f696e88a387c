// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import Testing

struct AnswersTests {
    /// A header with a payload, by default as the answer to request 1.
    static func message(
        _ type: MessageType, flags: MessageFlags = [], sequence: UInt32 = 1, _ payload: [UInt8] = []
    ) -> [UInt8] {
        var writer = MessageWriter.raw()
        writer.append(UInt32(16 + payload.count))
        writer.append(type.rawValue)
        writer.append(flags.rawValue)
        writer.append(sequence)
        writer.append(UInt32(0))
        writer.append(payload)
        while writer.bytes.count % 4 != 0 { writer.append(UInt8(0)) }
        return writer.bytes
    }

    static func number(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    /// Reads a datagram as the answer to request 1 and counts the delivered messages.
    static func receive(
        _ datagram: [UInt8], flags: MessageFlags = []
    ) throws(NetlinkError) -> (progress: Progress, delivered: Int, isInterrupted: Bool) {
        var answers = Answers(to: 1, flags: flags, operation: "TEST")
        var delivered = 0
        let progress = try answers.receive(datagram.span.bytes) { (_, _) in delivered += 1 }
        return (progress, delivered, answers.isInterrupted)
    }

    @Test func `one message answers a query`() throws {
        let taken = try Self.receive(Self.message(.newLink))
        #expect(taken.progress == .finished)
        #expect(taken.delivered == 1)
    }

    @Test func `a change is answered by an acknowledgement only`() throws {
        let before = try Self.receive(Self.message(.newLink), flags: .acknowledge)
        #expect(before.progress == .more)
        let after = try Self.receive(AnswerCaptures.acknowledgement.bytes, flags: .acknowledge)
        #expect((after.progress, after.delivered) == (.finished, 0))
    }

    @Test func `a dump lasts until it is done`() throws {
        let part = Self.message(.newRoute, flags: .multipart)
        let first = try Self.receive(part + part, flags: .dump)
        #expect((first.progress, first.delivered) == (.more, 2))
        let last = try Self.receive(part + AnswerCaptures.done.bytes + part, flags: .dump)
        #expect((last.progress, last.delivered) == (.finished, 1))
        let empty = try Self.receive(Self.message(.done), flags: .dump)
        #expect(empty.progress == .finished)
    }

    @Test(arguments: [false, true]) func `an interrupted dump is detected`(inTheEnd: Bool) throws {
        let part = Self.message(.newRoute, flags: inTheEnd ? [] : .dumpInterrupted)
        let done = Self.message(.done, flags: inTheEnd ? .dumpInterrupted : [], Self.number(0))
        let taken = try Self.receive(part + done, flags: .dump)
        #expect(taken.isInterrupted)
    }

    @Test func `answers to other requests are ignored`() throws {
        for other in [
            Self.message(.newLink, sequence: 0), Self.message(.error, sequence: 2, Self.number(-1)),
            Self.message(.done, sequence: .max),
        ] {
            let taken = try Self.receive(other)
            #expect((taken.progress, taken.delivered) == (.unrelated, 0))
        }
    }

    @Test func `a no-op message has no effect`() throws {
        let taken = try Self.receive(Self.message(.noOperation))
        #expect((taken.progress, taken.delivered) == (.more, 0))
    }

    @Test func `an overrun is reported as an overflow`() {
        let error = #expect(throws: NetlinkError.self) { try Self.receive(Self.message(.overrun)) }
        #expect(error?.code == .overflow)
    }

    static let refusals: [(Capture, NetlinkError.Errno, String)] = [
        (AnswerCaptures.errorWithWholeRequest, .networkUnreachable, "Nexthop has invalid gateway"),
        (AnswerCaptures.errorWithRequestHeader, .networkUnreachable, "Nexthop has invalid gateway"),
        (AnswerCaptures.doneWithError, .noSuchEntry, "ipv4: FIB table does not exist"),
    ]

    @Test(arguments: refusals) func `a rejection contains the kernel's message`(
        capture: Capture, errno: NetlinkError.Errno, text: String
    ) throws {
        let error = try #require(throws: NetlinkError.self) { try Self.receive(capture.bytes) }
        #expect((error.code, error.errno, error.message) == (.kernel, errno, text))
        #expect(error.operation == "TEST")
    }

    static let odd: [(String, [UInt8], NetlinkError.Errno)] = [
        ("no request repeated", number(-22), .invalidArgument),
        ("the smallest number", number(.min), NetlinkError.Errno(rawValue: .min)),
        ("a positive number", number(5), NetlinkError.Errno(rawValue: -5)),
        (
            "a request of 4 GiB", number(-22) + [255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            .invalidArgument
        ),
        (
            "a broken explanation", number(-22) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [9, 9, 9, 9],
            .invalidArgument
        ),
    ]

    @Test(arguments: odd) func `a malformed rejection still has its error number`(
        what: String, payload: [UInt8], errno: NetlinkError.Errno
    ) throws {
        for flags in [MessageFlags.acknowledgementAttributes, [.acknowledgementAttributes, .capped], []] {
            let error = try #require(throws: NetlinkError.self) {
                try Self.receive(Self.message(.error, flags: flags, payload))
            }
            #expect((error.code, error.errno, error.message) == (.kernel, errno, nil))
        }
    }

    @Test(arguments: [MessageType.error, .done], [1, 2, 3]) func `an error number that is too short is a typed error`(
        type: MessageType, count: Int
    ) {
        let error = #expect(throws: NetlinkError.self) {
            try Self.receive(Self.message(type, [UInt8](repeating: 255, count: count)), flags: .dump)
        }
        #expect(error?.code == .truncated)
    }

    @Test func `a batch is finished when each request has one answer`() throws {
        var batch = BatchAnswers(from: .max, count: 3)
        var heard: [Int] = []
        func take(_ datagram: [UInt8]) throws -> Progress {
            try batch.receive(datagram.span.bytes) { (place, _, _) in heard.append(place) }
        }
        #expect(try take(Self.message(.newLink, sequence: 5)) == .unrelated)
        #expect(try take(Self.message(.newLink, sequence: .max)) == .more)
        #expect(try take(Self.message(.newLink, sequence: .max)) == .unrelated)
        let twice = Self.message(.error, sequence: 1, Self.number(.min))
        #expect(try take(twice + twice) == .more)
        #expect(try take(Self.message(.error, sequence: 0, Self.number(-101))) == .finished)
        #expect(heard == [0, 2, 1])
    }
}
#endif
