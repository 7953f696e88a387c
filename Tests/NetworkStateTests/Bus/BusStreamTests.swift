//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import NetworkState

struct BusStreamTests {
    @Test func `the user's number proves itself in hexadecimal digits of its decimal ones`() {
        #expect(BusStream(user: 1000).outbox == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
    }

    @Test func `messages come out whole, however the bytes come in`() throws {
        var stream = BusStream(user: 0)
        stream.sent(stream.outbox.count)
        let message = BusMessage.encoded(.reply, answers: 1, .text("hello"))
        var found: [BusMessage] = []
        for byte in Array("OK 0123\r\n".utf8) + message + message { found += try stream.take([byte][...]) }
        #expect(stream.isOpen && stream.outbox == Array("BEGIN\r\n".utf8))
        #expect(found.map(\.body) == [[.text("hello")], [.text("hello")]])
    }

    @Test(arguments: ["REJECTED EXTERNAL\r\n", "ERROR\r\n", "HTTP/1.1 400 Bad Request\r\n"])
    func `whoever does not let it in, or is no bus, is refused`(answer: String) {
        var stream = BusStream(user: 0)
        #expect(throws: BusError.refused) { try stream.take(Array(answer.utf8)[...]) }
    }

    @Test func `an endless line is not waited for`() {
        var stream = BusStream(user: 0)
        #expect(throws: BusError.self) { try stream.take([UInt8](repeating: 65, count: 2000)[...]) }
    }

    static let addresses: [(String, [UInt8]?)] = [
        ("unix:path=/run/bus", Array("/run/bus".utf8)), ("unix:abstract=bus,guid=1", [0] + Array("bus".utf8)),
        ("tcp:host=x;unix:guid=1,path=/a%20b", Array("/a b".utf8)), ("tcp:host=x", nil), ("", nil),
        ("unix:path=/a%2", nil), ("unix:path=/a%zz", nil), ("unix:tmpdir=/tmp", nil),
    ]

    @Test(arguments: addresses) func `where the bus listens`(text: String, name: [UInt8]?) {
        #expect(BusAddress(parsing: text)?.socketName == name)
    }
}
