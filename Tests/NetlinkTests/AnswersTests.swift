//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
@testable import Netlink
import Testing

struct AnswersTests {
    /// A header with a payload, as the answer to request 1 unless said otherwise.
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

    /// Reads a datagram as the answer to request 1 and counts what was delivered.
    static func take(
        _ datagram: [UInt8], flags: MessageFlags = []
    ) throws(NetlinkError) -> (progress: Progress, delivered: Int, isInterrupted: Bool) {
        var answers = Answers(to: 1, flags: flags, operation: "TEST")
        var delivered = 0
        let progress = try answers.take(datagram.span.bytes) { (_, _) in delivered += 1 }
        return (progress, delivered, answers.isInterrupted)
    }

    @Test func `one message answers a question`() throws {
        let taken = try Self.take(Self.message(.newLink))
        #expect(taken.progress == .finished)
        #expect(taken.delivered == 1)
    }

    @Test func `a change is answered by its acknowledgement alone`() throws {
        let before = try Self.take(Self.message(.newLink), flags: .acknowledge)
        #expect(before.progress == .more)
        let after = try Self.take(AnswerCaptures.acknowledgement.bytes, flags: .acknowledge)
        #expect((after.progress, after.delivered) == (.finished, 0))
    }

    @Test func `a dump lasts until it is done`() throws {
        let part = Self.message(.newRoute, flags: .multipart)
        let first = try Self.take(part + part, flags: .dump)
        #expect((first.progress, first.delivered) == (.more, 2))
        let last = try Self.take(part + AnswerCaptures.done.bytes + part, flags: .dump)
        #expect((last.progress, last.delivered) == (.finished, 1))
        let empty = try Self.take(Self.message(.done), flags: .dump)
        #expect(empty.progress == .finished)
    }

    @Test(arguments: [false, true]) func `an interrupted dump is noticed`(inTheEnd: Bool) throws {
        let part = Self.message(.newRoute, flags: inTheEnd ? [] : .dumpInterrupted)
        let done = Self.message(.done, flags: inTheEnd ? .dumpInterrupted : [], Self.number(0))
        let taken = try Self.take(part + done, flags: .dump)
        #expect(taken.isInterrupted)
    }

    @Test func `answers to other requests are not ours`() throws {
        for other in [
            Self.message(.newLink, sequence: 0), Self.message(.error, sequence: 2, Self.number(-1)),
            Self.message(.done, sequence: .max),
        ] {
            let taken = try Self.take(other)
            #expect((taken.progress, taken.delivered) == (.unrelated, 0))
        }
    }

    @Test func `nothing happens at a message of no operation`() throws {
        let taken = try Self.take(Self.message(.noOperation))
        #expect((taken.progress, taken.delivered) == (.more, 0))
    }

    @Test func `an overrun is an overflow`() {
        let error = #expect(throws: NetlinkError.self) { try Self.take(Self.message(.overrun)) }
        #expect(error?.code == .overflow)
    }

    static let refusals: [(Capture, Errno, String)] = [
        (AnswerCaptures.errorWithWholeRequest, .networkUnreachable, "Nexthop has invalid gateway"),
        (AnswerCaptures.errorWithRequestHeader, .networkUnreachable, "Nexthop has invalid gateway"),
        (AnswerCaptures.doneWithError, .noSuchEntry, "ipv4: FIB table does not exist"),
    ]

    @Test(arguments: refusals) func `a refusal comes with the kernel's words`(
        capture: Capture, errno: Errno, text: String
    ) throws {
        let error = try #require(throws: NetlinkError.self) { try Self.take(capture.bytes) }
        #expect((error.code, error.errno, error.message) == (.kernel, errno, text))
        #expect(error.operation == "TEST")
    }

    static let odd: [(String, [UInt8], Errno)] = [
        ("no request repeated", number(-22), .invalidArgument),
        ("the smallest number", number(.min), Errno(rawValue: .min)),
        ("a positive number", number(5), Errno(rawValue: -5)),
        (
            "a request of 4 GiB", number(-22) + [255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            .invalidArgument
        ),
        (
            "a broken explanation", number(-22) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [9, 9, 9, 9],
            .invalidArgument
        ),
    ]

    @Test(arguments: odd) func `a strange refusal still tells its number`(
        what: String, payload: [UInt8], errno: Errno
    ) throws {
        for flags in [MessageFlags.acknowledgementAttributes, [.acknowledgementAttributes, .capped], []] {
            let error = try #require(throws: NetlinkError.self) {
                try Self.take(Self.message(.error, flags: flags, payload))
            }
            #expect((error.code, error.errno, error.message) == (.kernel, errno, nil))
        }
    }

    @Test(arguments: [MessageType.error, .done], [1, 2, 3]) func `a number that is too short is a typed error`(
        type: MessageType, count: Int
    ) {
        let error = #expect(throws: NetlinkError.self) {
            try Self.take(Self.message(type, [UInt8](repeating: 255, count: count)), flags: .dump)
        }
        #expect(error?.code == .truncated)
    }

    @Test func `a batch is finished when each request has its answer, once`() throws {
        var batch = BatchAnswers(from: .max, count: 3)
        var heard: [Int] = []
        func take(_ datagram: [UInt8]) throws -> Progress {
            try batch.take(datagram.span.bytes) { (place, _) in heard.append(place) }
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
