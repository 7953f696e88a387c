// SPDX-License-Identifier: Apache-2.0

/// A method call over the bus with text arguments, the only kind that this module makes.
struct BusCall: Hashable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var arguments: [String] = []
}

extension BusCall {
    /// The bus itself.
    static let bus = "org.freedesktop.DBus"

    /// Calls a method of the bus itself.
    init(bus member: String, _ arguments: String...) {
        self.init(
            destination: Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: member,
            arguments: arguments)
    }

    /// The message, little-endian.
    ///
    /// It never starts a program that is not running (`NO_AUTO_START`): a host without NetworkManager must not get one.
    func bytes(serial: UInt32) -> [UInt8] {
        var body = BusWriter()
        for argument in arguments { body.text(argument) }
        var message = BusWriter()
        message.bytes = [UInt8(ascii: "l"), BusMessage.Kind.call.rawValue, 0x2, 1]
        message.number(UInt32(body.bytes.count))
        message.number(serial)
        var fields = BusWriter()
        fields.field(1, "o", path)
        fields.field(2, "s", interface)
        fields.field(3, "s", member)
        fields.field(6, "s", destination)
        if !arguments.isEmpty { fields.field(8, "g", String(repeating: "s", count: arguments.count)) }
        message.number(UInt32(fields.bytes.count))
        // The fields begin at offset 16, so their own alignment is also valid within the message.
        message.bytes += fields.bytes
        message.pad(to: 8)
        return message.bytes + body.bytes
    }
}

private struct BusWriter {
    var bytes: [UInt8] = []

    mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    mutating func number(_ value: UInt32) {
        pad(to: 4)
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }

    mutating func text(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    /// A header field: its code, then a variant of one type.
    mutating func field(_ code: UInt8, _ type: Character, _ value: String) {
        pad(to: 8)
        bytes += [code, 1] + Array(String(type).utf8) + [0]
        if type == "g" {
            bytes += [UInt8(truncatingIfNeeded: value.utf8.count)] + Array(value.utf8) + [0]
        } else {
            text(value)
        }
    }
}
