// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NetworkState

struct BusStreamTests {
    @Test func `the user ID is sent as the hexadecimal digits of its decimal text`() {
        #expect(BusStream(user: 1000).output == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
    }

    @Test func `messages are complete however the bytes are split`() throws {
        var stream = BusStream(user: 0)
        stream.sent(stream.output.count)
        let message = BusMessage.encoded(.reply, answers: 1, .text("hello"))
        var found: [BusMessage] = []
        for byte in Array("OK 0123\r\n".utf8) + message + message { found += try stream.receive([byte][...]) }
        #expect(stream.isOpen && stream.output == Array("BEGIN\r\n".utf8))
        #expect(found.map(\.body) == [[.text("hello")], [.text("hello")]])
    }

    @Test(arguments: [100, 65_536, .max])
    func `a message of another user that is too long or cannot be read does not end the conversation`(piece: Int) throws
    {
        var nested = BusEncoder.Value.byte(1)
        for _ in 0..<40 { nested = .variant(nested) }
        let long = String(repeating: "x", count: BusMessage.mostBytes)
        let reply = BusMessage.encoded(.reply, answers: 1, .text("hello"))
        let bytes =
            Array("OK 0123\r\n".utf8) + BusMessage.encoded(.signal, .text(long))
            + BusMessage.encoded(.signal, nested) + reply + BusMessage.encoded(.signal, .text(long)) + reply
        var stream = BusStream(user: 0)
        var found: [BusMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            found += try stream.receive(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        #expect(found.map(\.body) == [[.text("hello")], [.text("hello")]])
    }

    @Test(arguments: ["REJECTED EXTERNAL\r\n", "ERROR\r\n", "HTTP/1.1 400 Bad Request\r\n"])
    func `a peer that refuses the login, or is not a bus, is rejected`(answer: String) {
        var stream = BusStream(user: 0)
        #expect(throws: BusError.refused) { try stream.receive(Array(answer.utf8)[...]) }
    }

    @Test func `an endless line is rejected`() {
        var stream = BusStream(user: 0)
        #expect(throws: BusError.self) { try stream.receive([UInt8](repeating: 65, count: 2000)[...]) }
    }

    static let addresses: [(String, [UInt8]?)] = [
        ("unix:path=/run/bus", Array("/run/bus".utf8)), ("unix:abstract=bus,guid=1", [0] + Array("bus".utf8)),
        ("tcp:host=x;unix:guid=1,path=/a%20b", Array("/a b".utf8)), ("tcp:host=x", nil), ("", nil),
        ("unix:path=/a%2", nil), ("unix:path=/a%zz", nil), ("unix:tmpdir=/tmp", nil),
    ]

    @Test(arguments: addresses) func `the socket name is parsed from the bus address`(text: String, name: [UInt8]?) {
        #expect(BusAddress(parsing: text)?.socketName == name)
    }
}
