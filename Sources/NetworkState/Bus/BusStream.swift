// SPDX-License-Identifier: Apache-2.0

/// The client's side of a conversation with the message bus, without the socket: bytes in, messages out.
///
/// The conversation begins with the lines of the authentication ("Authentication Protocol"), by the user ID that the
/// socket proves. Messages follow.
struct BusStream {
    private var inbox: [UInt8] = []
    /// The bytes of a message that is too long, which have not arrived yet.
    private var bytesToDrop = 0
    private var isAuthenticated = false
    /// Bytes waiting to be sent.
    private(set) var output: [UInt8]

    /// The longest authentication line accepted.
    private static let mostLine = 1024

    init(user: UInt32) {
        let digits = "0123456789abcdef".utf8.map { $0 }
        let hexadecimal = String(user).utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        output = [0] + Array("AUTH EXTERNAL ".utf8) + hexadecimal + Array("\r\n".utf8)
    }

    mutating func send(_ call: BusCall, serial: UInt32) {
        output += call.bytes(serial: serial)
    }

    mutating func sent(_ count: Int) {
        output.removeFirst(min(count, output.count))
    }

    /// Receives bytes, and returns the messages that are complete.
    ///
    /// A message that is too long or cannot be read is dropped: any user of the bus can send one to any program. If it was a reply, the
    /// call remains without one.
    ///
    /// - Throws: `malformed`, `refused`.
    mutating func receive(_ bytes: ArraySlice<UInt8>) throws(BusError) -> [BusMessage] {
        let dropped = min(bytesToDrop, bytes.count)
        bytesToDrop -= dropped
        inbox += bytes.dropFirst(dropped)
        if !isAuthenticated {
            guard let end = inbox.firstIndex(of: UInt8(ascii: "\n")) else {
                guard inbox.count <= Self.mostLine else { throw .malformed("an endless line") }
                return []
            }
            guard inbox.starts(with: "OK ".utf8) else { throw .refused }
            inbox.removeFirst(end + 1)
            isAuthenticated = true
            output = Array("BEGIN\r\n".utf8) + output
        }
        var messages: [BusMessage] = []
        var rest = inbox[...]
        while let length = try BusMessage.length(rest) {
            if length > BusMessage.mostBytes {
                bytesToDrop = max(0, length - rest.count)
            } else {
                guard length <= rest.count else { break }
                if let message = try? BusMessage(rest.prefix(length)) { messages.append(message) }
            }
            rest = rest.dropFirst(length)
        }
        inbox = Array(rest)
        return messages
    }

    /// Whether messages may be sent.
    var isOpen: Bool { isAuthenticated }
}
