// SPDX-License-Identifier: Apache-2.0

/// Builds netlink messages: header, fixed part, attributes.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []
    private var isTooLong = false
    /// The start of the current message.
    private var start = 0

    init(_ type: MessageType, flags: MessageFlags, sequence: UInt32) {
        self.init(capacity: 64)
        begin(type, flags: flags, sequence: sequence)
    }

    /// Creates a writer of several messages, each of which starts with `begin`.
    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Ends the previous message, and starts another.
    mutating func begin(_ type: MessageType, flags: MessageFlags, sequence: UInt32) {
        endMessage()
        start = bytes.count
        append(UInt32(0))
        append(type.rawValue)
        append(flags.union(.request).rawValue)
        append(sequence)
        append(UInt32(0))
    }

    private mutating func endMessage() {
        if bytes.count > start { patch(UInt32(truncatingIfNeeded: bytes.count - start), at: start) }
    }

    private init() {}

    /// A writer without a header, for the content of an attribute.
    package static func raw() -> MessageWriter { MessageWriter() }

    /// Appends an integer in host byte order.
    package mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ raw: [UInt8]) {
        bytes.append(contentsOf: raw)
    }

    package mutating func attribute(_ type: UInt16, _ raw: [UInt8] = []) {
        append(length(4 + raw.count))
        append(type)
        append(raw)
        pad()
    }

    package mutating func attribute<T: FixedWidthInteger & BitwiseCopyable>(_ type: UInt16, _ value: T) {
        append(UInt16(4 + MemoryLayout<T>.size))
        append(type)
        append(value)
        pad()
    }

    package mutating func attribute(_ type: UInt16, _ text: String) {
        attribute(type, Array(text.utf8) + [0])
    }

    package mutating func attribute(_ type: UInt16, _ address: NetworkAddress) {
        append(length(4 + address.byteCount))
        append(type)
        switch address.version {
        case .ipv4: append(UInt32(truncatingIfNeeded: address.bits.low).bigEndian)
        case .ipv6:
            append(address.bits.high.bigEndian)
            append(address.bits.low.bigEndian)
        }
        pad()
    }

    /// The finished messages, with their lengths filled in.
    ///
    /// - Throws: `invalidArgument` when an attribute is too long for its 16-bit length.
    consuming func finish() throws(NetlinkError) -> [UInt8] {
        guard !isTooLong, bytes.count <= Int32.max else {
            throw .invalidArgument("writing", "an attribute is longer than \(UInt16.max) bytes")
        }
        endMessage()
        return bytes
    }

    private mutating func length(_ count: Int) -> UInt16 {
        if count > UInt16.max { isTooLong = true }
        return UInt16(truncatingIfNeeded: count)
    }

    private mutating func pad() {
        while bytes.count % 4 != 0 { bytes.append(0) }
    }

    private mutating func patch<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
        unsafe withUnsafeBytes(of: value) { unsafe bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }
}
