// SPDX-License-Identifier: Apache-2.0

@testable import NetworkState

/// Encodes D-Bus messages, as a bus or NetworkManager would, in either byte order.
struct BusEncoder {
    /// A value with its type.
    indirect enum Value {
        case byte(UInt8)
        case number(UInt32)
        case text(String)
        case path(String)
        case signature(String)
        case variant(Value)
        case array(String, [Value])
        case entry(Value, Value)
        case structure([Value])

        var signature: String {
            switch self {
            case .byte: "y"
            case .number: "u"
            case .text: "s"
            case .path: "o"
            case .signature: "g"
            case .variant: "v"
            case .array(let element, _): "a" + element
            case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
            case .structure(let parts): "(\(parts.map(\.signature).joined()))"
            }
        }
    }

    private(set) var bytes: [UInt8] = []
    var isBigEndian = false

    mutating func append(_ value: Value) {
        switch value {
        case .byte(let byte): bytes.append(byte)
        case .number(let number): append(number)
        case .text(let text), .path(let text):
            append(UInt32(text.utf8.count))
            bytes += Array(text.utf8) + [0]
        case .signature(let text): bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
        case .variant(let inner):
            append(.signature(inner.signature))
            append(inner)
        case .entry(let key, let value):
            pad(8)
            append(key)
            append(value)
        case .structure(let parts):
            pad(8)
            parts.forEach { append($0) }
        case .array(let element, let values):
            append(UInt32(0))
            let place = bytes.count - 4
            pad("({".contains(element.first ?? "y") ? 8 : element == "y" ? 1 : 4)
            let start = bytes.count
            values.forEach { append($0) }
            let length = UInt32(bytes.count - start)
            bytes.replaceSubrange(place..<place + 4, with: isBigEndian ? Self.big(length) : Self.big(length).reversed())
        }
    }

    private mutating func append(_ number: UInt32) {
        pad(4)
        bytes += isBigEndian ? Self.big(number) : Self.big(number).reversed()
    }

    private mutating func pad(_ alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
}

extension BusMessage {
    /// The bytes of a message.
    static func encoded(
        _ kind: Kind, answers: UInt32? = nil, sender: String? = BusCall.bus, path: String? = nil,
        interface: String? = nil, member: String? = nil, isBigEndian: Bool = false, _ body: BusEncoder.Value...
    ) -> [UInt8] {
        var content = BusEncoder()
        content.isBigEndian = isBigEndian
        body.forEach { content.append($0) }
        var fields: [BusEncoder.Value] = []
        func field(_ code: UInt8, _ value: BusEncoder.Value?) {
            if let value { fields.append(.structure([.byte(code), .variant(value)])) }
        }
        field(1, path.map { .path($0) })
        field(2, interface.map { .text($0) })
        field(3, member.map { .text($0) })
        field(5, answers.map { .number($0) })
        field(7, sender.map { .text($0) })
        if !body.isEmpty { field(8, .signature(body.map(\.signature).joined())) }
        var message = BusEncoder()
        message.isBigEndian = isBigEndian
        for byte in [UInt8(ascii: isBigEndian ? "B" : "l"), kind.rawValue, 1, 1] { message.append(.byte(byte)) }
        message.append(.number(UInt32(content.bytes.count)))
        message.append(.number(7))
        message.append(.array("(yv)", fields))
        return message.bytes + [UInt8](repeating: 0, count: (8 - message.bytes.count % 8) % 8) + content.bytes
    }

    /// The properties of a device, as NetworkManager sends them.
    static func properties(_ interface: String, metered: UInt32, type: UInt32 = 1, data: String = "")
        -> BusEncoder.Value
    {
        .array(
            "{sv}",
            [
                .entry(.text("Interface"), .variant(.text(interface))),
                .entry(.text("IpInterface"), .variant(.text(data))),
                .entry(.text("HwAddress"), .variant(.text("02:00:00:00:01:0A"))),
                .entry(.text("DeviceType"), .variant(.number(type))),
                .entry(.text("Ports"), .variant(.array("o", [.path("/a"), .path("/b")]))),
                .entry(.text("Metered"), .variant(.number(metered))),
            ])
    }
}
